// Drives a libFuzzer target without libFuzzer: every file of a corpus, then seeded changes of them.
// fuzz_positions SECONDS SEED CORPUS...
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rules/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

// A few bytes changed, taken out, put in, doubled, or another file's end put on.
Bytes changed(Bytes bytes, const std::vector<Bytes>& corpus, dicezero::Rng& rng) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : rng.below(static_cast<std::uint32_t>(n)); };
  for (std::uint32_t times = 1 + below(4); times > 0; --times) {
    const auto at = bytes.begin() + below(bytes.size() + 1);
    switch (below(6)) {
      case 0:
        if (at != bytes.end()) *at = static_cast<std::uint8_t>(below(256));
        break;
      case 1:
        if (at != bytes.end()) *at = static_cast<std::uint8_t>(*at + (below(2) != 0 ? 1 : -1));
        break;
      case 2:
        bytes.erase(at, at + std::min<std::ptrdiff_t>(below(5), bytes.end() - at));
        break;
      case 3:
        bytes.insert(at, 1 + below(3), static_cast<std::uint8_t>("0189/-aKX \n"[below(11)]));
        break;
      case 4: {
        const Bytes part(at, at + std::min<std::ptrdiff_t>(below(20), bytes.end() - at));
        bytes.insert(bytes.begin() + below(bytes.size() + 1), part.begin(), part.end());
        break;
      }
      default: {
        const Bytes& other = corpus[below(corpus.size())];
        bytes.erase(at, bytes.end());
        bytes.insert(bytes.end(), other.begin() + below(other.size() + 1), other.end());
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Bytes> corpus;
  for (int i = 3; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      run(corpus.back());
    }
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: fuzz_positions SECONDS SEED CORPUS...\n");
    return 2;
  }
  dicezero::Rng rng(std::strtoull(argv[2], nullptr, 10));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
  std::uint64_t inputs = corpus.size();
  for (; std::chrono::steady_clock::now() < end; ++inputs)
    run(changed(corpus[rng.below(static_cast<std::uint32_t>(corpus.size()))], corpus, rng));
  std::printf("%llu inputs, no complaint\n", static_cast<unsigned long long>(inputs));
}

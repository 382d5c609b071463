// What a computation will take, logged and compared with what is free beforehand: the system hands out
// more than it has, and then ends the process that uses it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace dicezero {

// More states than allowed, or more memory than this machine has; the message has how much it would take.
class TooLarge : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// "1.2 GB" and the like, for messages.
inline std::string memory_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  while (bytes >= 1000.0 && unit < 6) {
    bytes /= 1000.0;
    ++unit;
  }
  const auto tenths = static_cast<std::int64_t>(std::min(bytes, 1e12) * 10.0 + 0.5);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " + units[unit];
}

namespace memory {

inline constexpr double kUnknown = std::numeric_limits<double>::infinity();

// The number after `name` in a file of lines "name number"; with no name the file's first number.
inline double number_in(const char* path, const std::string& name, double otherwise) {
  std::ifstream file(path);
  if (name.empty()) {
    double number = otherwise;
    return file >> number ? number : otherwise;
  }
  for (std::string word; file >> word;) {
    if (double number = 0.0; word == name && file >> number) return number;
  }
  return otherwise;
}

// What a container leaves; its caches of files give way.
inline double free_in_container() {
  const double most = number_in("/sys/fs/cgroup/memory.max", "", kUnknown);
  const double taken = number_in("/sys/fs/cgroup/memory.current", "", 0.0);
  const double files = number_in("/sys/fs/cgroup/memory.stat", "inactive_file", 0.0);
  return most - std::max(0.0, taken - files);
}

// What `ulimit -v` leaves.
inline double free_of_limit() {
#if defined(__linux__)
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const double pages = number_in("/proc/self/statm", "", 0.0);
    return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  }
#endif
  return kUnknown;
}

// Bytes that can still be taken, as far as the system shows: on Linux what is free, elsewhere all there are.
inline double available() {
#if defined(__linux__)
  const double here = number_in("/proc/meminfo", "MemAvailable:", kUnknown) * 1024.0 +
                      number_in("/proc/meminfo", "SwapFree:", 0.0) * 1024.0;
  return std::max(0.0, std::min({here, free_in_container(), free_of_limit()}));
#elif defined(_SC_PHYS_PAGES)
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
#else
  return kUnknown;
#endif
}

inline constexpr double kLook = 64e6;  // less is not looked at: asking would take longer than using it
inline constexpr double kTell = 1e9;

// Refuses what is not there. Of any thread.
inline void require(double bytes, const std::string& what, const std::string& remedy) {
  if (!(bytes >= kLook)) return;
  if (const double free = available(); bytes > free) {
    throw TooLarge(what + " would take " + memory_text(bytes) + " of memory, and " + memory_text(free) +
                   " are free; " + remedy);
  }
}

// Called with large claims before they are taken; set once, by who knows where such lines go.
inline std::function<void(const std::string&)>& listener() {
  static std::function<void(const std::string&)> who;
  return who;
}

// The same, and reported where it is much; of the thread that was called.
inline void claim(double bytes, const std::string& what, const std::string& remedy) {
  require(bytes, what, remedy);
  if (bytes >= kTell && listener()) listener()(what + " takes " + memory_text(bytes) + " of memory");
}

// Something that grows, nobody knows how far: refused when the next step is no longer there. Of any thread.
class Growth {
 public:
  // Before `bytes` more are taken; `describe` makes what it is called, which is seldom needed.
  template <class Describe>
  void add(std::size_t bytes, const char* remedy, Describe&& describe) {
    if (unseen_.fetch_add(bytes, std::memory_order_relaxed) + bytes < kStep) return;
    unseen_.store(0, std::memory_order_relaxed);
    require(static_cast<double>(std::max(bytes, kStep)), describe(), remedy);
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 26;
  std::atomic<std::size_t> unseen_{0};
};

}  // namespace memory
}  // namespace dicezero

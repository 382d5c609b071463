// Work split into fixed parts, one thread each.
#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace dicezero {

// Calls f(part) for every part; part 0 runs on the calling thread. The first exception is passed on.
template <class Part, class F>
void for_each_part(std::vector<Part>& parts, F&& f) {
  std::vector<std::exception_ptr> errors(parts.size());
  const auto run = [&](std::size_t i) {
    try {
      f(parts[i]);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < parts.size(); ++i) threads.emplace_back(run, i);
  if (!parts.empty()) run(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace dicezero

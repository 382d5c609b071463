// Progress callbacks and Ctrl-C for the solvers.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <utility>

#include "bindings/interrupt.h"
#include "solve/monitor.h"

namespace dicezero {

namespace nb = nanobind;

// A moment that comes back once per interval, so that hot loops may ask for it.
class Pace {
 public:
  explicit Pace(std::chrono::milliseconds length) : length_(length) {}
  bool passed() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < length_) return false;
    last_ = now;
    return true;
  }

 private:
  std::chrono::milliseconds length_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Signals and the progress callback, from inside a call that may have let the GIL go.
class PyMonitor {
 public:
  explicit PyMonitor(nb::object callback) : callback_(std::move(callback)) {}

  void operator()(const Progress& progress) {
    if (signals_due_.passed()) {
      const nb::gil_scoped_acquire gil;
      if (SignalPoller{}()) throw nb::python_error();
    }
    if (callback_.is_none() || !callback_due_.passed()) return;
    const nb::gil_scoped_acquire gil;
    callback_(progress.phase, progress.done, progress.total, progress.residual);
  }

  Monitor monitor() {
    return [this](const Progress& progress) { (*this)(progress); };
  }

 private:
  nb::object callback_;
  Pace signals_due_{std::chrono::milliseconds(50)};
  Pace callback_due_{std::chrono::milliseconds(100)};
};

}  // namespace dicezero

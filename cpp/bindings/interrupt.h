// Ctrl-C in long native calls.
#pragma once

#include <nanobind/nanobind.h>

namespace dicezero {

// True when a signal's handler has raised. The Python error is left set: the caller clears it and returns
// what it has, or throws it on. Call it now and then, with or without the GIL.
struct SignalPoller {
  bool operator()() const {
    const nanobind::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
  }
};

}  // namespace dicezero

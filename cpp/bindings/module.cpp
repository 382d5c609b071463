#include "bindings/module.h"

#include <cstdlib>

#include "bindings/values.h"
#include "rules/memory.h"

namespace {

// To Python's log, which prints warnings on stderr unless a program sets it otherwise.
void tell_of_memory(const std::string& line) {
  namespace nb = nanobind;
  const nb::gil_scoped_acquire gil;
  nb::module_::import_("logging").attr("getLogger")("dicezero").attr("warning")("%s", nb::str(line.c_str()));
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native core of dicezero; use it through the dicezero package.";
  // What a thread that never ends still holds when Python ends is no fault of the user's, and not
  // reported to them. Tests turn the report on, so that our own leaks are seen.
  nanobind::set_leak_warnings(std::getenv("DICEZERO_LEAK_WARNINGS") != nullptr);
  dicezero::memory::listener() = tell_of_memory;
  dicezero::register_texts_of_errors();
  dicezero::bind_rules(m);
  dicezero::bind_plan(m);
  dicezero::bind_counting(m);
  dicezero::bind_model(m);
  dicezero::bind_board(m);
  dicezero::bind_learn(m);
  dicezero::bind_xla(m);
  dicezero::bind_minimax(m);
  dicezero::bind_uct(m);
  dicezero::bind_solve(m);
}

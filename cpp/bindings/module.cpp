#include "bindings/module.h"

#include <cstdlib>

#include "bindings/values.h"

NB_MODULE(_native, m) {
  m.doc() = "The native core of dicezero; use it through the dicezero package.";
  // What a thread that never ends still holds when Python ends is no fault of the user's, and nothing to tell
  // them. Tests ask to be told, so that our own leaks are seen.
  nanobind::set_leak_warnings(std::getenv("DICEZERO_LEAK_WARNINGS") != nullptr);
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

#include "bindings/module.h"

#include "bindings/values.h"

NB_MODULE(_native, m) {
  m.doc() = "The native core of dicezero; use it through the dicezero package.";
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

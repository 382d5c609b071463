// One function a folder of the core; module.cpp calls them in dependency order.
#pragma once

#include <nanobind/nanobind.h>

namespace dicezero {

void bind_rules(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_counting(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_learn(nanobind::module_& m);
void bind_board(nanobind::module_& m);
void bind_xla(nanobind::module_& m);
void bind_minimax(nanobind::module_& m);
void bind_uct(nanobind::module_& m);
void bind_solve(nanobind::module_& m);

}  // namespace dicezero

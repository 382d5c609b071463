// The algorithms over games whose rules are Python code.
#include "bindings/ops_of.h"

namespace dicezero {
namespace {

const nb::object& object_of(const ForeignGame& game) { return game.object(); }
const nb::object& object_of(const ForeignGame::State& state) { return state.object; }

template <class World>
int traverse_world(const Forest& forest, visitproc visit, void* arg) {
  const auto* own = dynamic_cast<const ForestOf<World>*>(&forest);
  if (own == nullptr) return 0;
  int stop = 0;
  const auto ask = [&](const auto& held) {
    const nb::object& object = object_of(held);
    if (stop == 0 && object.is_valid()) stop = visit(object.ptr(), arg);
  };
  for (std::size_t row = 0; row < own->size(); ++row) own->search(row).world().each_held(ask);
  return stop;
}

}  // namespace

int traverse_forest(const Forest& forest, visitproc visit, void* arg) {
  if (const int stop = traverse_world<RulesWorld<ForeignGame>>(forest, visit, arg)) return stop;
  return traverse_world<PlayoutWorld<ForeignGame>>(forest, visit, arg);
}

const Ops& foreign_ops() {
  static const OpsOf<ForeignGame> ops;
  return ops;
}

}  // namespace dicezero

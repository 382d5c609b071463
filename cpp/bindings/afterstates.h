// Afterstates of many positions as columns; src/dicezero/selfplay/td.py is their public face.
#pragma once

#include <utility>

#include "bindings/arrays.h"
#include "bindings/rules.h"
#include "rules/afterstates.h"

namespace dicezero {

template <Game G>
nb::tuple afterstate_columns(const G& game, nb::list states) {
  std::vector<typename G::State> positions;
  for (const nb::object& state : held_objects(states)) positions.push_back(native_state<G>(game, state));
  Afterstates found;
  {
    const MaybeReleaseGil<G> released;
    found = afterstates(game, positions);
  }
  const std::size_t count = found.row.size();
  return nb::make_tuple(column(std::move(found.row)), column(std::move(found.action)),
                        table_of_rows(std::move(found.observation), count, observation_size(game)),
                        column(std::move(found.result)), column(std::move(found.reward)));
}

}  // namespace dicezero

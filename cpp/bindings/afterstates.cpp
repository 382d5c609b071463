// Afterstates of many positions in one call; src/dicezero/selfplay/td.py is their public face.
#include "rules/afterstates.h"

#include "bindings/module.h"
#include "bindings/table.h"

namespace dicezero {
namespace {

using Columns = std::tuple<nb::ndarray<nb::numpy, std::int32_t>, nb::ndarray<nb::numpy, std::int32_t>,
                           nb::ndarray<nb::numpy, float>, nb::ndarray<nb::numpy, float>>;

template <Game G>
Columns columns(const G& game, nb::list states) {
  std::vector<typename G::State> positions;
  positions.reserve(nb::len(states));
  for (nb::handle state : states) positions.push_back(native_state<G>(state));
  Afterstates found;
  {
    const MaybeReleaseGil<G> released;
    found = afterstates(game, positions);
  }
  std::size_t size = 1;
  for (const int n : game.observation_shape()) size *= static_cast<std::size_t>(n);
  const std::size_t count = found.row.size();
  return {to_numpy(std::move(found.row), {count}), to_numpy(std::move(found.action), {count}),
          to_numpy(std::move(found.observation), {count, size}), to_numpy(std::move(found.result), {count})};
}

}  // namespace

void bind_afterstates(nb::module_& m) {
  m.def(
      "afterstates",
      [](nb::handle game, nb::list states) {
        return with_game(game, [&]<Game G>(const G& g) { return columns(g, states); });
      },
      nb::arg("game"), nb::arg("states"),
      "(row [M], action [M], observation [M, O], result [M]) of the positions after each legal move, seen by "
      "the player who moved; the result is NaN while the game goes on.");
}

}  // namespace dicezero

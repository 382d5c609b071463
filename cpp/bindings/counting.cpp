// Perft and random play-outs.
#include <stdexcept>

#include "bindings/module.h"
#include "bindings/rules.h"
#include "rules/perft.h"
#include "rules/playouts.h"

namespace dicezero {

void bind_counting(nb::module_& m) {
  m.def(
      "perft",
      [](nb::handle game, int depth) {
        if (depth < 0 || depth > 1000) {
          throw std::invalid_argument("depth=" + std::to_string(depth) + " is out of range; give 0..1000");
        }
        return with_game(game, [&]<Game G>(const G& g) {
          MaybeReleaseGil<G> unlocked;
          return perft(g, depth);
        });
      },
      nb::arg("game"), nb::arg("depth"), "Nodes of the game tree at depth 0..depth.");
  m.def(
      "random_playouts",
      [](nb::handle game, std::int64_t count, std::uint64_t seed) {
        if (count < 0) {
          throw std::invalid_argument("count=" + std::to_string(count) + " is negative; give 0 or more");
        }
        const Playouts total = with_game(game, [&]<Game G>(const G& g) {
          MaybeReleaseGil<G> unlocked;
          return random_playouts(g, static_cast<std::uint64_t>(count), seed);
        });
        return nb::make_tuple(total.moves, total.first_player_returns);
      },
      nb::arg("game"), nb::arg("count"), nb::kw_only(), nb::arg("seed"),
      nb::sig("def random_playouts(game: object, count: int, *, seed: int) -> tuple[int, float]"),
      "(moves, sum of the first player's returns) of `count` random games.");
}

}  // namespace dicezero

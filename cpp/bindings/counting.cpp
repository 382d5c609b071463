// What can be asked of the rules of any game: perft, random play-outs, afterstates, steps of many games.

#include <stdexcept>

#include "bindings/module.h"
#include "bindings/ops.h"

namespace dicezero {
namespace {

void bind_lockstep(nb::module_& m) {
  m.def(
      "roll_dice",
      [](nb::handle game, nb::list states, Array<std::uint64_t, 1> seeds, Array<std::int64_t, 1> steps,
         std::uint64_t use) { return ops_of(game).roll_dice(game, states, seeds, steps, use); },
      nb::arg("game"), nb::arg("states"), nb::arg("seeds"), nb::arg("steps"), nb::arg("use"),
      "Plays chance's part in every state until a player is to move or the game is over. A state's n-th "
      "roll is drawn by the address (seed, step + n, use). Gives the rolls, state by state, as their "
      "rows and outcomes, who is to move then, and what each roll paid player 0.");
  m.def(
      "observe_states",
      [](nb::handle game, nb::list states) { return ops_of(game).observe_states(game, states); },
      nb::arg("game"), nb::arg("states"),
      "What the player to move sees in every state, [B, O], and its legal actions, [B, C].");
  m.def(
      "apply_moves",
      [](nb::handle game, nb::list states, Array<std::int32_t, 1> actions) {
        return ops_of(game).apply_moves(game, states, actions);
      },
      nb::arg("game"), nb::arg("states"), nb::arg("actions"),
      "Makes a checked move in every state, [B]; gives what each paid player 0, [B].");
  m.def(
      "observe_by",
      [](nb::handle game, nb::list states, Array<std::int32_t, 1> players) {
        return ops_of(game).observe_by(game, states, players);
      },
      nb::arg("game"), nb::arg("states"), nb::arg("players"),
      "What the player named for each state sees, [B, O]; zeros where the game is over.");
  m.def(
      "afterstates", [](nb::handle game, nb::list states) { return ops_of(game).afterstates(game, states); },
      nb::arg("game"), nb::arg("states"),
      "(row [M], action [M], observation [M, O], result [M], reward [M]) of the positions after each legal "
      "move, all for the player who moved. The result is the return once the game is over, NaN while it "
      "goes on; the reward is what the move paid.");
}

}  // namespace

void bind_counting(nb::module_& m) {
  m.def(
      "perft",
      [](nb::handle game, int depth, nb::handle state) {
        if (depth < 0 || depth > 1000) {
          throw std::invalid_argument("depth=" + std::to_string(depth) + " is out of range; give 0..1000");
        }
        return ops_of(game).perft(game, state, depth);
      },
      nb::arg("game"), nb::arg("depth"), nb::arg("state") = nb::none(),
      "Nodes of the game tree at depth 0..depth, from the start or from a state.");
  m.def(
      "random_playouts",
      [](nb::handle game, std::int64_t count, std::uint64_t seed) {
        if (count < 0) {
          throw std::invalid_argument("count=" + std::to_string(count) + " is negative; give 0 or more");
        }
        const Playouts total = ops_of(game).random_playouts(game, static_cast<std::uint64_t>(count), seed);
        return nb::make_tuple(total.moves, total.first_player_returns);
      },
      nb::arg("game"), nb::arg("count"), nb::kw_only(), nb::arg("seed"),
      nb::sig("def random_playouts(game: object, count: int, *, seed: int) -> tuple[int, float]"),
      "(moves, sum of the first player's returns) of `count` random games.");
  bind_lockstep(m);
}

}  // namespace dicezero

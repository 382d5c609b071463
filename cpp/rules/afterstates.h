// Afterstates: the positions right after each legal move, before chance or the other player acts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "rules/game.h"

namespace dicezero {

// M afterstates of B positions, in the order of the positions and, within one, of the actions' ids. All is
// seen by the player who moved.
struct Afterstates {
  std::vector<std::int32_t> row;     // [M], the position it comes from
  std::vector<std::int32_t> action;  // [M], the move that leads to it
  std::vector<float> observation;    // [M, O]; zeros once the game is over
  std::vector<float> result;         // [M], in [-1, 1]; NaN while the game goes on
};

template <Game G>
Afterstates afterstates(const G& game, const std::vector<typename G::State>& positions) {
  std::size_t size = 1;
  for (const int n : game.observation_shape()) size *= static_cast<std::size_t>(n);
  Afterstates found;
  std::vector<Action> actions;
  for (std::size_t row = 0; row < positions.size(); ++row) {
    const int mover = game.player(positions[row]);
    if (mover < 0) throw std::invalid_argument("state " + std::to_string(row) + " has no player to move");
    game.legal_actions(positions[row], actions);
    for (const Action action : actions) {
      typename G::State after = positions[row];
      game.apply(after, action);
      const bool over = game.player(after) == kTerminalPlayer;
      const std::size_t at = found.observation.size();
      found.row.push_back(static_cast<std::int32_t>(row));
      found.action.push_back(action);
      found.observation.resize(at + size);
      float result = std::numeric_limits<float>::quiet_NaN();
      if (over) {
        // The one place where a result changes sides: games end with the first player's return.
        const double first = std::clamp(game.first_player_return(after), -1.0, 1.0);
        result = static_cast<float>(mover == 0 ? first : -first);
      } else {
        game.observe(after, mover, std::span(found.observation).subspan(at, size));
      }
      found.result.push_back(result);
    }
  }
  return found;
}

}  // namespace dicezero

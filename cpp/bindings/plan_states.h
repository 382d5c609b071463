// The planner over the true rules of one type of game.
#pragma once

#include <memory>
#include <utility>

#include "bindings/plan.h"
#include "bindings/rules.h"

namespace dicezero {

// Over its rules a game is searched with its own discount; 1 is what a configuration has that names none.
template <Game G>
double own_discount(const G& game, double asked) {
  const double own = discount_of(game);
  if (asked == 1.0 || asked == own) return own;
  throw std::invalid_argument("discount=" + std::to_string(asked) + " is not the game's own, " +
                              std::to_string(own) + "; leave it out, or give the game a discount()");
}

template <Game G>
nb::dict plan_states(const G& game, const PlanArguments& asked) {
  using World = RulesWorld<G>;
  PlanConfig config = asked.config;
  config.discount = own_discount(game, config.discount);
  const std::vector<nb::object> states = held_objects(asked.states);
  const std::size_t rows = states.size();
  check_rows_of("seeds", asked.seeds.shape(0), rows);
  std::unique_ptr<Evaluator> adapter;
  const int num_actions = game.num_actions();
  check_gumbel_and_paths(asked.gumbel, num_actions, asked.previous, asked.paths, rows);
  Evaluator& evaluator = find_evaluator(asked.network, game.observation_shape(), num_actions, adapter);
  check_columns_of("the game's observation", observation_size(game), evaluator.observation_size());
  check_columns_of("the game's action set", static_cast<std::size_t>(num_actions), evaluator.num_actions());
  std::vector<Search<World>> searches;
  searches.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    auto& search = searches.emplace_back(World(game, config.value_scale), config, asked.seeds.data()[row]);
    if (!adopt_row(search, asked.previous, asked.paths, row)) {
      typename G::State root = native_state<G>(game, states[row]);
      if (game.player(root) < 0) {
        throw std::invalid_argument("states[" + std::to_string(row) + "] has no player to move");
      }
      search.world().make_root(search.tree(), root);
    }
  }
  auto forest = std::make_unique<ForestOf<World>>(std::move(searches));
  Findings found;
  Stopwatch::Nanoseconds network_time = 0;
  {
    const MaybeReleaseGil<G> release;
    PositionCaller<G> caller(evaluator, game, network_time);
    // Roots too are evaluated part by part: all at once by one thread would keep the others waiting.
    const auto begin_part = [&](std::span<Search<World>> part, std::size_t first) {
      fill_roots(part, caller);
      for (std::size_t i = 0; i < part.size(); ++i) part[i].begin(gumbel_row(asked.gumbel, first + i));
    };
    if (evaluator.parallel() && !kForeign<G>) {
      run_parts(forest->searches(), caller, config.threads, begin_part);
    } else {
      begin_part(forest->searches(), 0);
      run_part(forest->searches(), caller);
    }
    found = findings(forest->searches(), num_actions);
  }
  return plan_dict(std::move(found), std::move(forest), num_actions, network_time);
}

}  // namespace dicezero

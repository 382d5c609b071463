// A million random moves through every native game and many sizes, each position checked. Built under
// AddressSanitizer and UndefinedBehaviorSanitizer by -DDICEZERO_SANITIZE=ON; ./soak [moves]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "rules/connect_four.h"
#include "rules/nannon.h"
#include "rules/perft.h"
#include "rules/playouts.h"
#include "rules/tic_tac_toe.h"

namespace dicezero {
namespace {

// The standard assert() is gone in release builds; this one stays.
void require(bool holds, const std::string& what, const std::string& where) {
  if (holds) return;
  std::fprintf(stderr, "soak: %s in %s\n", what.c_str(), where.c_str());
  std::exit(1);
}

bool sorted_and_below(const std::vector<Action>& ids, int limit) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end() &&
         ids.front() >= 0 && ids.back() < limit;
}

template <Game G>
std::vector<Action> checked_actions(const G& game, const typename G::State& state, const std::string& where) {
  std::vector<Action> ids;
  if (game.player(state) == kChancePlayer) {
    std::vector<Outcome> outcomes;
    game.outcomes(state, outcomes);
    double total = 0;
    for (const Outcome& outcome : outcomes) {
      require(outcome.probability > 0, "a probability that is not positive", where);
      total += outcome.probability;
      ids.push_back(outcome.action);
    }
    require(std::abs(total - 1) < 1e-12, "probabilities that do not sum to 1", where);
    require(!ids.empty() && sorted_and_below(ids, game.num_chance_outcomes()), "bad outcome ids", where);
  } else {
    game.legal_actions(state, ids);
    require(!ids.empty() && sorted_and_below(ids, game.num_actions()), "bad action ids", where);
  }
  return ids;
}

template <Game G>
void check_looks(const G& game, const typename G::State& state, const std::vector<Action>& ids,
                 const std::string& where) {
  std::set<std::string> names;
  for (const Action id : ids) names.insert(game.action_string(state, id));
  require(names.size() == ids.size(), "two actions of one name", where);
  std::size_t size = 1;
  for (const int n : game.observation_shape()) size *= static_cast<std::size_t>(n);
  std::vector<float> tensor(size, -1.0f);
  for (int viewer = 0; viewer < game.num_players(); ++viewer) {
    std::fill(tensor.begin(), tensor.end(), -1.0f);
    game.observe(state, viewer, tensor);
    for (const float value : tensor)
      require(value == 0.0f || value == 1.0f, "an observation not 0 or 1", where);
  }
}

template <Game G>
void soak(const G& game, std::uint64_t moves, std::uint64_t seed) {
  const std::string name = full_name(game);
  Rng rng(seed);
  std::vector<Action> actions;
  std::vector<Outcome> outcomes;
  typename G::State state = game.initial_state();
  int length = 0;
  for (std::uint64_t i = 0; i < moves; ++i) {
    const std::string where = name + ": " + game.to_string(state);
    const int player = game.player(state);
    if (player == kTerminalPlayer) {
      require(std::abs(game.first_player_return(state)) <= 1, "a return beyond 1", where);
      state = game.initial_state();
      length = 0;
      continue;
    }
    const std::vector<Action> ids = checked_actions(game, state, where);
    check_looks(game, state, ids, where);
    const Action action = player == kChancePlayer ? random_outcome(game, state, rng, outcomes)
                                                  : random_action(game, state, rng, actions);
    require(std::binary_search(ids.begin(), ids.end(), action), "a random action that is illegal", where);
    const typename G::State before = state;
    game.apply(state, action);
    require(!(game.key(state) == game.key(before)), "a move that changes nothing", where);
    ++length;
    require(game.max_game_length() == 0 || length <= game.max_game_length(), "a game too long", where);
  }
  const Playouts total = random_playouts(game, 10, seed);
  require(total.moves > 0 && perft(game, 1).back() > 0, "no play-outs or no lines", name);
}

template <class Make>
std::uint64_t soak_all(const std::vector<std::vector<int>>& sizes, std::uint64_t moves, Make make) {
  for (std::size_t i = 0; i < sizes.size(); ++i) soak(make(sizes[i]), moves, i);
  return sizes.size() * moves;
}

}  // namespace
}  // namespace dicezero

int main(int argc, char** argv) {
  using namespace dicezero;
  const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  std::vector<std::vector<int>> nannon;
  for (int points = 2; points <= Nannon::kMaxPoints; points += points < 7 ? 1 : 3) {
    for (int sides = 2; sides <= points; sides += sides < 7 ? 1 : 4) {
      for (int checkers = 1; checkers < sides; checkers += checkers < 5 ? 1 : 4)
        nannon.push_back({points, checkers, sides});
    }
  }
  const std::vector<std::vector<int>> connect_four = {{6, 7},  {1, 1}, {4, 4}, {15, 4},
                                                      {3, 16}, {7, 8}, {1, 16}};
  const std::uint64_t each = wanted / (nannon.size() + connect_four.size() + 1) + 1;
  std::uint64_t played = soak_all(nannon, each, [](const auto& s) { return Nannon(s[0], s[1], s[2]); });
  played += soak_all(connect_four, each, [](const auto& s) { return ConnectFour(s[0], s[1]); });
  played += soak_all({{}}, each, [](const auto&) { return TicTacToe(); });
  std::printf("soak: %llu moves, %zu sizes, no complaint\n", static_cast<unsigned long long>(played),
              nannon.size() + connect_four.size() + 1);
}

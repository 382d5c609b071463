// Every rule of the planner and of UCT, on models and games drawn at random, to be run under the sanitizers.
#include <cstdio>
#include <span>
#include <vector>

#include "rules/connect_four.h"
#include "rules/nannon.h"
#include "rules/tic_tac_toe.h"
#include "search/forest.h"
#include "search/playout_world.h"
#include "search/reuse.h"

namespace dicezero {
namespace {

// A model that returns anything: its output is a function of the hidden state and the action alone.
class RandomModel : public Simulator {
 public:
  int hidden_size() const override { return 3; }
  int num_actions() const override { return 5; }
  int num_identities() const override { return 4; }
  bool parallel() const override { return true; }

  void step(const StepBatch& batch) override {
    for (int i = 0; i < batch.size; ++i) {
      Rng rng(static_cast<std::uint64_t>(batch.hidden[i][0] * 1e6f),
              static_cast<std::uint64_t>(batch.action[i]));
      const auto draw = [&] { return static_cast<float>(4.0 * rng.uniform() - 2.0); };
      for (int h = 0; h < 3; ++h) batch.next_hidden[i][h] = static_cast<float>(rng.uniform());
      batch.reward[i] = 0.1f * draw();
      batch.value[i] = 0.5f * draw();
      for (int a = 0; a < 5; ++a) batch.policy_logits[i * 5 + a] = draw();
      if (batch.identity_logits == nullptr) continue;
      for (int n = 0; n < 4; ++n) batch.identity_logits[i * 4 + n] = draw();
      for (int a = 0; a < 5; ++a) batch.chance_logits[i * 5 + a] = draw();
    }
  }
};

template <class E>
E any(Rng& rng, int count) {
  return static_cast<E>(rng.below(static_cast<std::uint32_t>(count)));
}

PlanConfig any_config(Rng& rng) {
  PlanConfig c;
  c.simulations = 1 + static_cast<int>(rng.below(80));
  c.root = any<RootRule>(rng, 5);
  c.interior = any<InteriorRule>(rng, 5);
  c.chance = any<ChanceRule>(rng, 3);
  c.players = any<Players>(rng, 3);
  c.q_normalisation = any<QNormalisation>(rng, 4);
  c.max_considered_actions = 1 + static_cast<int>(rng.below(6));
  c.puct_form = any<PuctForm>(rng, 2);
  c.mixed_value = rng.below(2) != 0;
  c.dirichlet_fraction = 0.25 * rng.below(2);
  c.paper_budget = c.chance != ChanceRule::expectation && rng.below(2) != 0;
  c.ancestor_terminal = rng.below(2) != 0;
  c.edges_on_need_above = rng.below(2) != 0 ? 0 : 256;
  return c;
}

Search<LearnedWorld> make_search(const PlanConfig& config, std::uint64_t seed) {
  const bool learned = config.players == Players::learned;
  Search<LearnedWorld> search(LearnedWorld(config, 5, 3, learned ? 4 : 0), config, seed);
  const float logits[] = {0.1f, -0.4f, 1.0f, 0.0f, 0.3f};
  const std::uint8_t legal[] = {1, 0, 1, 1, 1};
  search.world().make_root(search.tree(), logits, legal, 0.2f);
  for (int h = 0; h < 3; ++h) search.world().hidden(0)[h] = 0.1f * static_cast<float>(seed % 7);
  search.begin({});
  return search;
}

// Searches, then goes on from a node of each tree that the search knows well.
std::size_t soak_planner(Rng& rng) {
  const PlanConfig config = any_config(rng);
  RandomModel model;
  Stopwatch::Nanoseconds time = 0;
  std::vector<Search<LearnedWorld>> searches;
  for (int row = 0; row < 5; ++row) searches.push_back(make_search(config, rng.next()));
  run_parts(std::span(searches), ModelCaller(model, config.players == Players::learned, time), 2);
  std::size_t nodes = 0;
  for (auto& search : searches) {
    nodes += search.tree().size();
    for (const Edge& e : search.tree().edges(Tree::kRoot)) {
      const Happened path[] = {{0, e.action}, {1, kNoAction}};
      Search<LearnedWorld> next(LearnedWorld(config, 5, 3, 4), config, rng.next());
      if (!adopt_subtree(next, search, find_node(search.tree(), path))) continue;
      nodes += next.tree().size();
    }
  }
  const Findings found = findings(std::span(searches), 5);
  for (const std::int32_t action : found.action) {
    if (action < 0 || action >= 5 || action == 1) std::abort();
  }
  return nodes;
}

template <Game G>
std::size_t soak_uct(const G& game, Rng& rng) {
  PlanConfig config;
  config.interior = InteriorRule::ucb1;
  config.chance = any<ChanceRule>(rng, 2);
  config.simulations = 300;
  config.q_normalisation = QNormalisation::fixed;
  config.widen_chance_k = config.widen_choice_k = rng.below(2) != 0 ? 1.0 : 0.0;
  typename G::State state = game.initial_state();
  if (game.player(state) == kChancePlayer) game.apply(state, 0);
  PlayoutSettings settings;
  settings.widen_chance_k = config.widen_chance_k;
  using World = PlayoutWorld<G>;
  Search<World> search(World(game, settings, PlayoutPolicy<G>{}, rng.next(), nullptr), config, rng.next());
  search.world().make_root(search.tree(), state);
  for (int i = 0; i < config.simulations; ++i) search.simulate();
  return search.tree().size();
}

}  // namespace
}  // namespace dicezero

int main() {
  dicezero::Rng rng(2);
  std::size_t nodes = 0;
  for (int i = 0; i < 1500; ++i) nodes += dicezero::soak_planner(rng);
  for (int i = 0; i < 40; ++i) {
    nodes += dicezero::soak_uct(dicezero::Nannon(6, 3, 6), rng);
    nodes += dicezero::soak_uct(dicezero::TicTacToe(), rng);
    nodes += dicezero::soak_uct(dicezero::ConnectFour(6, 7), rng);
  }
  std::printf("%zu nodes searched\n", nodes);
}

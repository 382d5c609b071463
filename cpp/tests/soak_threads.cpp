// The planner, UCT and networks on several threads at once, to be run under ThreadSanitizer: no race, and
// the result is that of one thread. ./soak_threads [rounds]
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "model/mlp.h"
#include "rules/connect_four.h"
#include "rules/nannon.h"
#include "search/forest.h"
#include "search/uct_trees.h"

namespace dicezero {
namespace {

constexpr int kThreads = 4;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "soak_threads: %s\n", what);
  std::exit(1);
}

// The same work on all threads, each with its number.
template <class F>
void on_threads(F&& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// A judge of positions for that game with weights drawn at random.
struct Judge {
  template <Game G>
  Judge(const G& game, Rng& rng)
      : numbers(draw(rng, observation_size(game), static_cast<std::size_t>(game.num_actions()) + 1)),
        evaluator(
            Mlp(layers(observation_size(game), game.num_actions() + 1), Activation::kRelu, kernels().front()),
            NumberHead({}, kernels().front())) {}

  static std::vector<float> draw(Rng& rng, std::size_t inputs, std::size_t outputs) {
    std::vector<float> made((inputs + 1) * kHidden + (kHidden + 1) * outputs);
    for (float& x : made) x = static_cast<float>(rng.uniform() - 0.5);
    return made;
  }

  std::vector<LayerWeights> layers(std::size_t inputs, int outputs) const {
    const float* first = numbers.data();
    const float* second = first + (inputs + 1) * kHidden;
    return {{static_cast<int>(inputs), kHidden, 1, first, first + inputs * kHidden},
            {kHidden, outputs, 1, second, second + kHidden * outputs}};
  }

  static constexpr int kHidden = 24;
  std::vector<float> numbers;
  MlpEvaluator evaluator;
};

template <Game G>
Findings planned(const G& game, Evaluator& judge, std::uint64_t seed, int threads) {
  using World = RulesWorld<G>;
  PlanConfig config;
  config.simulations = 24;
  config.threads = threads;
  std::vector<Search<World>> searches;
  for (int row = 0; row < 13; ++row) {
    auto& search = searches.emplace_back(World(game, 1.0), config, seed + static_cast<std::uint64_t>(row));
    typename G::State root = game.initial_state();
    if (game.player(root) == kChancePlayer) game.apply(root, row % game.num_chance_outcomes() == 0 ? 0 : 1);
    search.world().make_root(search.tree(), root);
  }
  Stopwatch::Nanoseconds time = 0;
  PositionCaller<G> caller(judge, game, time);
  run_parts(std::span(searches), caller, threads, [&](std::span<Search<World>> part, std::size_t) {
    fill_roots(part, caller);
    for (auto& search : part) search.begin({});
  });
  return findings(std::span(searches), game.num_actions());
}

// A batch split over threads, several such batches at once, one network for all.
template <Game G>
void soak_planner(const G& game, Rng& rng) {
  Judge judge(game, rng);
  const std::uint64_t seed = rng.next();
  const Findings alone = planned(game, judge.evaluator, seed, 1);
  on_threads([&](int) {
    const Findings found = planned(game, judge.evaluator, seed, kThreads);
    require(found.visits == alone.visits && found.action == alone.action && found.policy == alone.policy,
            "threads change what the planner says");
  });
}

// Searches of their own on every thread, with one game and one pool of memory between them.
template <Game G>
void soak_uct(const G& game, Rng& rng) {
  const std::uint64_t seed = rng.next();
  const auto searched = [&] {
    PlanConfig config;
    config.interior = InteriorRule::ucb1;
    config.q_normalisation = QNormalisation::fixed;
    config.simulations = 400;
    using World = PlayoutWorld<G>;
    Search<World> search(World(game, PlayoutSettings{}, PlayoutPolicy<G>{}, seed, nullptr), config, seed);
    typename G::State root = game.initial_state();
    if (game.player(root) == kChancePlayer) game.apply(root, 0);
    search.world().make_root(search.tree(), root);
    for (int i = 0; i < config.simulations; ++i) search.simulate();
    return search.tree().size();
  };
  const std::size_t alone = searched();
  on_threads([&](int) { require(searched() == alone, "threads change what UCT finds"); });
}

// Several trees of one position grown by one thread and by all of them: the same roots.
template <Game G>
void soak_trees(const G& game, Rng& rng) {
  using World = PlayoutWorld<G>;
  const std::uint64_t seed = rng.next();
  typename G::State root = game.initial_state();
  if (game.player(root) == kChancePlayer) game.apply(root, 0);
  PlanConfig config;
  config.interior = InteriorRule::ucb1;
  config.q_normalisation = QNormalisation::fixed;
  UctOptions options;
  options.simulations = 1001;
  options.max_nodes = 1'000'000;
  const auto visits = [&](int threads, int stop_after) {
    std::vector<Search<World>> searches;
    for (std::uint64_t i = 0; i < 5; ++i) {
      const std::uint64_t own = tree_seed(seed, i);
      searches.emplace_back(World(game, PlayoutSettings{}, PlayoutPolicy<G>{}, own, nullptr), config, own);
      searches.back().world().make_root(searches.back().tree(), root);
    }
    const auto interrupted = [&] { return stop_after > 0 && --stop_after == 0; };
    UctTrees<G> trees(searches, options, threads, interrupted, [] { return false; });
    const UctReport report = trees.run();
    require(stop_after > 0 || report.simulations == options.simulations || threads > 1,
            "simulations are lost");
    std::vector<const Tree*> all;
    for (const Search<World>& search : searches) all.push_back(&search.tree());
    std::vector<std::pair<int, int>> found;
    for (const Edge& e : summed_roots(all)) found.emplace_back(e.action, e.visits);
    return found;
  };
  require(visits(1, 0) == visits(kThreads, 0), "threads change what several trees find");
  visits(kThreads, 1);  // Ctrl-C at once
}

}  // namespace
}  // namespace dicezero

int main(int argc, char** argv) {
  using namespace dicezero;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  Rng rng(3);
  const Nannon nannon(6, 3, 6);
  const ConnectFour four(5, 5);
  for (int i = 0; i < rounds; ++i) {
    soak_planner(nannon, rng);
    soak_planner(four, rng);
    soak_uct(nannon, rng);
    soak_uct(four, rng);
    soak_trees(nannon, rng);
    soak_trees(four, rng);
  }
  std::printf("%d rounds on %d threads, no complaint\n", rounds, kThreads);
}

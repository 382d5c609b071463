// The algorithms for one type of game, as templates: compiled in the game's own unit.
#pragma once

#include "bindings/afterstates.h"
#include "bindings/lockstep.h"
#include "bindings/minimax.h"
#include "bindings/ops.h"
#include "bindings/plan_states.h"
#include "bindings/proof_search.h"
#include "bindings/table_of.h"
#include "bindings/uct_of.h"
#include "learn/td_game.h"
#include "rules/perft.h"
#include "solve/state_table.h"

namespace dicezero {

// The C++ game behind a Python one: a reference to ours, or a wrapper.
template <Game G>
decltype(auto) cpp_game(nb::handle game) {
  if constexpr (kForeign<G>) {
    return ForeignGame(nb::borrow<nb::object>(game));
  } else {
    return nb::cast<const G&>(game);
  }
}

template <Game G>
class OpsOf : public Ops {
 public:
  bool native() const override { return !kForeign<G>; }
  bool evaluates() const override { return Knowledge<G>::kEvaluates; }

  std::vector<std::uint64_t> perft(nb::handle game, nb::handle state, int depth) const override {
    const G& g = cpp_game<G>(game);
    const typename G::State root = state.is_none() ? g.initial_state() : native_state<G>(g, state);
    const MaybeReleaseGil<G> released;
    return dicezero::perft(g, root, depth, [] {
      if (SignalPoller{}()) {
        const nb::gil_scoped_acquire gil;
        throw nb::python_error();
      }
    });
  }

  Playouts random_playouts(nb::handle game, std::uint64_t count, std::uint64_t seed) const override {
    const G& g = cpp_game<G>(game);
    const MaybeReleaseGil<G> released;
    return dicezero::random_playouts(g, count, seed);
  }

  nb::object state_key(nb::handle game, nb::handle state) const override {
    const G& g = cpp_game<G>(game);
    return key_object(g.key(native_state<G>(g, state)));
  }

  nb::tuple afterstates(nb::handle game, nb::list states) const override {
    const G& g = cpp_game<G>(game);
    return afterstate_columns(g, states);
  }

  int observation_size(nb::handle game) const override {
    const G& g = cpp_game<G>(game);
    return static_cast<int>(dicezero::observation_size(g));
  }

  std::unique_ptr<TdGames> td_games(nb::handle game, const LearningJudge& net,
                                    const TdSettings& settings) const override {
    if constexpr (kForeign<G>)
      throw not_native();
    else
      return std::make_unique<TdGamesOf<G>>(cpp_game<G>(game), net, settings);
  }

  nb::dict minimax(nb::object game, const MinimaxArguments& asked) const override {
    const G& g = cpp_game<G>(game);
    return minimax_search(game, g, asked);
  }

  nb::tuple prove(nb::handle game, nb::list states, const MinimaxOptions& options,
                  int threads) const override {
    const G& g = cpp_game<G>(game);
    return prove_states(g, states, options, threads);
  }

  std::unique_ptr<UctSearcher> uct_searcher(nb::object game) const override {
    return std::make_unique<UctSearcherOf<G>>(game, cpp_game<G>(game));
  }

  nb::dict plan(nb::handle game, const PlanArguments& asked) const override {
    const G& g = cpp_game<G>(game);
    return plan_states(g, asked);
  }

  std::unique_ptr<PyTable> table(nb::object game, std::uint64_t max_states,
                                 PyMonitor& monitor) const override {
    return make_table<StateTable<G>>(game, cpp_game<G>(game), max_states, monitor);
  }

  double state_bound(nb::handle game) const override {
    const G& g = cpp_game<G>(game);
    return dicezero::state_bound(g);
  }

  double states_at_least(nb::handle game, double enough, double seconds, PyMonitor& monitor) const override {
    const G& g = cpp_game<G>(game);
    return SizeProbe<G>(g, enough).play(seconds, monitor.monitor());
  }

  nb::tuple sampled_states(nb::handle game, double enough, std::uint64_t most,
                           PyMonitor& monitor) const override {
    const G& g = cpp_game<G>(game);
    SampledStates<G> samples(g, enough);
    const double bound = samples.play_until([&] { return samples.visited() >= most; }, monitor.monitor());
    return nb::make_tuple(bound, samples.visited());
  }

  std::optional<std::uint64_t> ranked_states(nb::handle) const override { return std::nullopt; }

  nb::tuple roll_dice(nb::handle game, nb::list states, const Array<std::uint64_t, 1>& seeds,
                      const Array<std::int64_t, 1>& steps, std::uint64_t use) const override {
    if constexpr (kForeign<G>)
      throw not_native();
    else
      return dicezero::roll_dice(cpp_game<G>(game), states, seeds, steps, use);
  }

  nb::tuple observe_states(nb::handle game, nb::list states) const override {
    if constexpr (kForeign<G>)
      throw not_native();
    else
      return dicezero::observe_states(cpp_game<G>(game), states);
  }

  Column<double> apply_moves(nb::handle game, nb::list states,
                             const Array<std::int32_t, 1>& actions) const override {
    if constexpr (kForeign<G>)
      throw not_native();
    else
      return dicezero::apply_moves(cpp_game<G>(game), states, actions);
  }

  Matrix2<float> observe_by(nb::handle game, nb::list states,
                            const Array<std::int32_t, 1>& players) const override {
    if constexpr (kForeign<G>)
      throw not_native();
    else
      return dicezero::observe_by(cpp_game<G>(game), states, players);
  }

 private:
  static std::invalid_argument not_native() {
    return std::invalid_argument("the game is not native; go through its states one by one in Python");
  }
};

}  // namespace dicezero

// Monte Carlo tree search over one type of game.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/callbacks.h"
#include "bindings/fields.h"
#include "bindings/rules.h"
#include "bindings/uct.h"
#include "bindings/values.h"
#include "search/knowledge.h"
#include "search/reuse.h"

namespace dicezero {

// Says in a note at which state a foreign game raised, and turns what is no answer at all into a ValueError.
inline void explain_error(const ForeignGame& game, const ForeignGame::State& state) {
  const auto where = [&] {
    return state.object.is_valid() ? game.to_string(state) : std::string("(unknown)");
  };
  try {
    throw;
  } catch (nb::python_error& error) {
    nb::object value = nb::borrow(error.value());
    if (error.matches(PyExc_KeyboardInterrupt) || nb::hasattr(value, "__notes__")) return;
    value.attr("add_note")("raised by the game's rules at the state:\n" + where());
  } catch (const nb::cast_error&) {
    throw std::invalid_argument("the game's rules returned something of the wrong type at the state:\n" +
                                where());
  } catch (const std::out_of_range&) {
    throw std::invalid_argument("the game's returns() is empty at the state:\n" + where());
  } catch (...) {
  }
}

template <Game G>
Action chosen_action(const G& game, nb::handle game_object, nb::handle choose, const typename G::State& s) {
  const nb::gil_scoped_acquire gil;
  const nb::object state = python_state(game_object, game, s);
  return with_note("raised by playout", state, [&] {
    const nb::object said = choose(state);
    std::vector<Action> legal;
    game.legal_actions(s, legal);
    const std::optional<int> action = whole_number(said);
    if (action && std::find(legal.begin(), legal.end(), *action) != legal.end()) return Action{*action};
    std::string known;
    for (const Action a : legal) known += (known.empty() ? "" : ", ") + std::to_string(a);
    throw std::invalid_argument("playout returned " + text_of(nb::repr(said)) +
                                ", which is no legal action (legal: " + known + "), at the state:\n" +
                                text_of(nb::str(state)));
  });
}

template <Game G>
class UctSearcherOf : public UctSearcher {
 public:
  using W = PlayoutWorld<G>;
  using State = typename G::State;

  UctSearcherOf(nb::object game_object, const G& game) : game_object_(std::move(game_object)), game_(game) {}

  nb::dict search(nb::handle state, nb::handle config, std::uint64_t seed, double low, double high,
                  nb::object evaluate, nb::object choose, bool flat) override {
    if (!game_object_.is_valid()) throw std::runtime_error("this searcher is being destroyed");
    const State root = native_state<G>(game_, state);
    if (game_.player(root) < 0) throw std::invalid_argument("the state has no player to move");
    read(config, low, high, flat);
    UctOptions options = asked_.options;
    widen_bounds(options);
    PlayoutPolicy<G> policy = playout_policy(low, high, evaluate, choose);
    const bool python = kForeign<G> || !evaluate.is_none() || !choose.is_none();
    if (python) options.check_every = 1;
    typename W::OnError on_error;
    if constexpr (kForeign<G>) {
      on_error = [this](const State& s) { explain_error(game_, s); };
    }
    std::vector<Search<W>> searches;
    searches.emplace_back(W(game_, asked_.playouts, std::move(policy), seed, on_error), asked_.plan, seed);
    const int reused = start(searches[0], root);
    forest_ = std::make_shared<ForestOf<W>>(std::move(searches));
    at_ = Tree::kRoot;
    keep_ = false;
    return report(run(options, python), options, reused);
  }

  bool advance(const std::vector<Action>& actions) override {
    keep_ = forest_ != nullptr;
    for (const Action action : actions) {
      if (!keep_ || at_ == kNone) break;
      Index next = kNone;
      for (const Edge& e : forest_->tree(0).edges(at_)) {
        if (e.action == action) next = e.child;
      }
      at_ = next;
    }
    return keep_ && at_ != kNone;
  }

  std::shared_ptr<Forest> forest() const override { return forest_; }

  int traverse(visitproc visit, void* arg) const override {
    Py_VISIT(game_object_.ptr());
    Py_VISIT(asked_.config.ptr());
    if constexpr (kForeign<G>) {
      Py_VISIT(game_.object().ptr());
      // A forest that somebody else holds too is nobody's alone.
      if (forest_ != nullptr && forest_.use_count() == 1) return traverse_forest(*forest_, visit, arg);
    }
    return 0;
  }

  void let_go() override {
    game_object_.reset();
    asked_.config.reset();
    forest_.reset();
  }

 private:
  // What a configuration says, in the core's terms.
  struct Asked {
    nb::object config;
    UctOptions options;
    PlanConfig plan;
    PlayoutSettings playouts;
    PlayoutRule rule = PlayoutRule::random;
    double epsilon = 0.0;
    double temperature = 0.0;
  };

  // Once for a configuration, which is frozen: asking Python takes as long as twenty simulations.
  void read(nb::handle config, double low, double high, bool flat) {
    const bool known = asked_.config.is(config) && asked_.options.low == low && asked_.options.high == high;
    if (known && asked_.plan.flat == flat) return;
    asked_.options = uct_options(config, low, high);
    asked_.plan = uct_plan_config(config, low, high, flat);
    asked_.plan.discount = discount_of(game_);
    asked_.playouts = {
        get<int>(config, "playouts"),          get<std::string>(config, "order") == "random", low, high,
        get<double>(config, "widen_chance_k"), get<double>(config, "widen_chance_alpha")};
    asked_.rule = choice<PlayoutRule>(config, "playout",
                                      {{"random", PlayoutRule::random},
                                       {"sensible", PlayoutRule::sensible},
                                       {"greedy", PlayoutRule::greedy},
                                       {"softmax", PlayoutRule::softmax}});
    constexpr bool kSensible = requires(const G& g, const State& s, Rng& rng) { g.sensible_return(s, rng); };
    if (!kSensible && asked_.rule == PlayoutRule::sensible) {
      throw std::invalid_argument("playout=sensible: " + game_.name() +
                                  " knows no senseless moves; give playout=random");
    }
    asked_.epsilon = get<double>(config, "playout_epsilon");
    asked_.temperature = get<double>(config, "playout_temperature");
    asked_.config = nb::borrow(config);
  }

  // What values may be where they are discounted: an end that is far off counts next to nothing, and of what
  // is paid on the way no part is bounded.
  void widen_bounds(UctOptions& options) const {
    if (discount_of(game_) == 1.0) return;
    constexpr double kNoBound = std::numeric_limits<double>::infinity();
    const bool pays = pays_on_the_way(game_);
    options.low = pays ? -kNoBound : std::min(options.low, 0.0);
    options.high = pays ? kNoBound : std::max(options.high, 0.0);
  }

  // What the values of the tree count besides what is still to come: all that was paid before the root.
  double paid_before() const {
    const W& world = forest_->search(0).world();
    const Node& root = forest_->tree(0).node(Tree::kRoot);
    if (world.counts_time()) return 0.0;
    const double first = return_so_far(game_, world.state(forest_->tree(0), Tree::kRoot));
    return root.player == 0 ? first : -first;
  }

  PlayoutPolicy<G> playout_policy(double low, double high, nb::object evaluate, nb::object choose) const {
    PlayoutPolicy<G> policy;
    policy.rule = asked_.rule;
    policy.epsilon = asked_.epsilon;
    policy.temperature = asked_.temperature;
    if (!evaluate.is_none()) {
      policy.evaluate = evaluation_callback(game_object_, game_, evaluate, low, high);
    } else if constexpr (Knowledge<G>::kEvaluates) {
      policy.evaluate = [knowledge = Knowledge<G>(game_)](const State& s, int player) {
        return player == 0 ? knowledge.evaluate(s) : -knowledge.evaluate(s);
      };
    }
    if (!choose.is_none()) {
      policy.rule = PlayoutRule::custom;
      // By handle: it is the caller's for as long as it searches, and nothing of it stays here.
      policy.choose = [this, choose = nb::handle(choose)](const State& s) {
        return chosen_action(game_, game_object_, choose, s);
      };
    }
    return policy;
  }

  bool same_position(const State& a, const State& b) const {
    if constexpr (requires { game_.has_key(a); }) {
      if (!game_.has_key(a) || !game_.has_key(b)) return false;
    }
    return game_.key(a) == game_.key(b);
  }

  // Takes over what the last search knows of this position, or at least its memory. Returns the visits that
  // brings.
  int start(Search<W>& search, const State& root) {
    if (forest_ != nullptr && keep_ && at_ != kNone) {
      const Search<W>& old = forest_->searches()[0];
      const Node& n = old.tree().node(at_);
      if (n.kind == NodeKind::choice && same_position(old.world().state(old.tree(), at_), root) &&
          adopt_subtree(search, old, at_)) {
        return search.tree().node(Tree::kRoot).visits;
      }
    }
    if (forest_ != nullptr && forest_.use_count() == 1) {
      search.tree() = std::move(forest_->searches()[0].tree());
      search.tree().clear();
      search.world().recycle(forest_->searches()[0].world());
    }
    search.world().make_root(search.tree(), root);
    return 0;
  }

  UctReport run(const UctOptions& options, bool python) {
    UctRun<G> run(forest_->searches()[0], options);
    auto last = std::chrono::steady_clock::now();
    const auto interrupted = [&] {  // rarely: asking takes the GIL, or gives other threads their turn
      const auto now = std::chrono::steady_clock::now();
      if (now - last < std::chrono::milliseconds(20)) return false;
      last = now;
      if (python) nb::gil_scoped_release turn;
      return keyboard_interrupted();
    };
    try {
      if (python) return run.run(interrupted);
      const nb::gil_scoped_release release;
      return run.run(interrupted);
    } catch (...) {
      at_ = kNone;  // the tree was left in the middle of a simulation
      if (!is_keyboard_interrupt() || run.done() == 0) throw;
      return run.interrupted();
    }
  }

  nb::dict report(const UctReport& found, const UctOptions& options, int reused) const {
    const Tree& tree = forest_->tree(0);
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    nb::dict d, values, visits;
    const double paid = paid_before();
    std::vector<const Edge*> by_id;
    for (const Edge& e : edges) by_id.push_back(&e);
    std::sort(by_id.begin(), by_id.end(), [](const Edge* a, const Edge* b) { return a->action < b->action; });
    for (const Edge* e : by_id) {
      visits[nb::int_(e->action)] = e->visits;
      if (e->visits > 0) values[nb::int_(e->action)] = e->q() - paid;
    }
    d["action"] = edges[final_edge(edges, options.final_mean)].action;
    d["value"] = tree.node(Tree::kRoot).value() - paid;
    d["paid"] = paid;
    d["action_values"] = values;
    d["visits"] = visits;
    d["line"] = expected_line(tree, options.final_mean);
    d["nodes"] = tree.size();
    d["bytes"] = forest_->bytes();
    d["stopped"] = found.stopped;
    d["simulations"] = found.simulations;
    d["saved"] = found.saved;
    d["reused"] = reused;
    return d;
  }

  nb::object game_object_;
  G game_;
  Asked asked_;
  std::shared_ptr<ForestOf<W>> forest_;
  Index at_ = kNone;   // where the game is in the kept tree
  bool keep_ = false;  // the next search goes on from there
};

}  // namespace dicezero

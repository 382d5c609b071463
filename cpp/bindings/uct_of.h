// Monte Carlo tree search over one type of game.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/fields.h"
#include "bindings/rules.h"
#include "bindings/uct.h"
#include "bindings/uct_callbacks.h"
#include "bindings/values.h"
#include "search/knowledge.h"
#include "search/reuse.h"
#include "search/uct_trees.h"

namespace dicezero {

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
    const auto trees = static_cast<std::size_t>(asked_.trees);
    std::vector<Search<W>> searches;
    int reused = 0;
    for (std::size_t i = 0; i < trees; ++i) {
      const std::uint64_t own = tree_seed(seed, i);
      searches.emplace_back(W(game_, asked_.playouts, policy, own, on_error), asked_.plan, own);
      reused += start(searches.back(), i, root);
    }
    forest_ = std::make_shared<ForestOf<W>>(std::move(searches));
    at_.assign(trees, Tree::kRoot);
    keep_ = false;
    return report(run(options, python), options, reused);
  }

  bool advance(const std::vector<Action>& actions) override {
    keep_ = forest_ != nullptr;
    bool reached = false;
    for (std::size_t i = 0; keep_ && i < at_.size(); ++i) {
      for (const Action action : actions) {
        if (at_[i] == kNone) break;
        Index next = kNone;
        for (const Edge& e : forest_->tree(i).edges(at_[i])) {
          if (e.action == action) next = e.child;
        }
        at_[i] = next;
      }
      reached = reached || at_[i] != kNone;
    }
    return reached;
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
  // A configuration in the core's terms.
  struct Asked {
    nb::object config;
    UctOptions options;
    PlanConfig plan;
    PlayoutSettings playouts;
    int trees = 1;
    int threads = 1;
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
    asked_.trees = get<int>(config, "trees");
    const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    asked_.threads = config.attr("threads").is_none() ? cores : get<int>(config, "threads");
    if (asked_.trees < 1 || asked_.threads < 1) throw std::invalid_argument("trees and threads count from 1");
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

  // Takes over what tree i of the last search knows of this position, or at least its memory. Returns the
  // visits that brings.
  int start(Search<W>& search, std::size_t i, const State& root) {
    const bool had = forest_ != nullptr && i < forest_->size();
    if (had && keep_ && at_[i] != kNone) {
      const Search<W>& old = forest_->searches()[i];
      const Node& n = old.tree().node(at_[i]);
      if (n.kind == NodeKind::choice && same_position(old.world().state(old.tree(), at_[i]), root) &&
          adopt_subtree(search, old, at_[i])) {
        return search.tree().node(Tree::kRoot).visits;
      }
    }
    if (had && forest_.use_count() == 1) {
      search.tree() = std::move(forest_->searches()[i].tree());
      search.tree().clear();
      search.world().recycle(forest_->searches()[i].world());
    }
    search.world().make_root(search.tree(), root);
    return 0;
  }

  UctReport run(const UctOptions& options, bool python) {
    auto last = std::chrono::steady_clock::now();
    const auto interrupted = [&] {  // rarely: asking takes the GIL, or gives other threads their turn
      const auto now = std::chrono::steady_clock::now();
      if (now - last < std::chrono::milliseconds(20)) return false;
      last = now;
      if (python) nb::gil_scoped_release turn;
      return keyboard_interrupted();
    };
    bool broken = false;  // a tree was left in the middle of a simulation
    const auto is_interrupt = [&broken] {
      broken = true;
      return is_keyboard_interrupt();
    };
    // What calls Python has the GIL, and one thread.
    UctTrees<G> all(forest_->searches(), options, python ? 1 : asked_.threads, interrupted, is_interrupt);
    try {
      if (python) {
        const UctReport found = all.run();
        if (broken) at_.assign(at_.size(), kNone);
        return found;
      }
      const nb::gil_scoped_release release;
      return all.run();
    } catch (...) {
      at_.assign(at_.size(), kNone);
      throw;
    }
  }

  nb::dict report(const UctReport& found, const UctOptions& options, int reused) const {
    std::vector<const Tree*> trees;
    for (std::size_t i = 0; i < forest_->size(); ++i) trees.push_back(&forest_->tree(i));
    const std::vector<Edge> edges = summed_roots(trees);
    nb::dict d, values, visits;
    const double paid = paid_before();
    for (const Edge& e : edges) {
      visits[nb::int_(e.action)] = e.visits;
      if (e.visits > 0) values[nb::int_(e.action)] = e.q() - paid;
    }
    double value_sum = 0.0;
    std::int64_t all_visits = 0;
    std::size_t nodes = 0;
    for (const Tree* tree : trees) {
      value_sum += tree->node(Tree::kRoot).value_sum;
      all_visits += tree->node(Tree::kRoot).visits;
      nodes += tree->size();
    }
    const Action action = edges[final_edge(edges, options.final_mean)].action;
    d["action"] = action;
    d["value"] = value_sum / static_cast<double>(all_visits) - paid;
    d["paid"] = paid;
    d["action_values"] = values;
    d["visits"] = visits;
    d["line"] = expected_line(trees, action, options.final_mean);
    d["nodes"] = nodes;
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
  std::vector<Index> at_;  // where the game is in each kept tree
  bool keep_ = false;      // the next search goes on from there
};

}  // namespace dicezero

// The minimax family, one implementation: minimax, alpha-beta and expectiminimax, to the end or to a depth.
// Every value is for MAX, the player to move at the root; who maximises is asked of the game at every node,
// so a player may move twice running. A value is what is still to come: what a move pays on the way is added
// when the search comes back over it, so that positions of one key have one value. A chance node is worth
// that within the step of the move before it: the discount counts where the next decision is reached. After
// search(), `horizon_`
// says whether the value rests on a position that was evaluated because of the depth; if not, it holds at any
// depth.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/knowledge.h"
#include "search/minimax_options.h"
#include "search/move_order.h"
#include "search/recorder.h"
#include "search/transposition.h"

namespace dicezero {

// What the caller may plug in; empty functions are not called.
template <Game G>
struct MinimaxHooks {
  std::function<double(const typename G::State&, int player)> evaluate;  // instead of the game's own
  std::function<bool(const typename G::State&)> is_quiet;
  std::function<bool()> interrupted;      // polled; true ends the search with the best so far
  std::function<bool()> is_interruption;  // asked inside a catch block: does this exception mean the same?
  std::uint64_t poll_every = 4096;        // nodes
};

template <Game G>
class Minimax {
 public:
  using State = typename G::State;

  Minimax(const G& game, const MinimaxOptions& options, MinimaxHooks<G> hooks, Recorder* recorder)
      : game_(game),
        knowledge_(game),
        options_(options),
        hooks_(std::move(hooks)),
        recorder_(recorder),
        order_(game.num_actions()),
        pays_(pays_on_the_way(game)),
        discount_(discount_of(game)),
        low_(options.prune && options.utility_bounds && !pays_ ? options.min_utility : -kInfinity),
        high_(options.prune && options.utility_bounds && !pays_ ? options.max_utility : kInfinity) {
    if (discount_ != 1.0) low_ = std::min(low_, 0.0), high_ = std::max(high_, 0.0);
    if (options.table_entries > 0) table_ = std::make_unique<Table>(options.table_entries, options.chance);
  }

  MinimaxReport run(const State& root);
  // The root's value and one move worth as much, nothing else.
  MinimaxReport prove(const State& root);

 private:
  using Table = TranspositionTable<TableKey<G>>;
  struct Stopped {
    const char* reason;
  };
  // Does the game want shallow searches first? Does it know which moves are worth a look past the horizon?
  static constexpr bool kDeepens = requires { Knowledge<G>::kDeepens; };
  static constexpr bool kNoisyMoves = requires(const Knowledge<G>& k, const State& s,
                                               std::vector<Action>& actions) { k.noisy_moves(s, actions); };
  static constexpr bool kForesees = requires(const Knowledge<G>& k, const State& s) { k.foresee(s); };
  // Choice plies left to search (negative: quiescence), and singular extensions left on this line.
  struct Left {
    int depth;
    int extensions;
    Left next() const { return {depth - 1, extensions}; }
  };
  // Buffers of one ply, so that the search allocates nothing once it is warm.
  struct Frame {
    std::vector<Action> actions;
    std::vector<Outcome> outcomes;
    std::vector<double> lower, upper;
    std::vector<Action> line;
  };

  // ---- the root (minimax_root.h) ----
  void deepen(const State& root, MinimaxReport& report);
  void search_root(const State& root, int depth, MinimaxReport& report);
  void lengthen_line(const State& root, int depth, std::vector<Action>& line) const;

  // ---- the recursion ----

  // Searches the child reached by `action`; its line is left in frame(ply).line.
  double visit(const State& child, Action action, Left left, double alpha, double beta, int ply) {
    const bool recorded = recorder_ != nullptr && recorder_->recording();
    if (recorded) recorder_->enter(action);
    const double value = follow(child, left, alpha, beta, ply);
    if (recorded) recorder_->leave(value, alpha, beta);
    return value;
  }

  double search(const State& s, Left left, double alpha, double beta, int ply) {
    count_node();
    deepest_ = std::max(deepest_, ply);
    Frame& f = frame(ply);
    f.line.clear();
    // Step 1. The end of the game, or the horizon.
    const int player = game_.player(s);
    if (player == kTerminalPlayer) {
      horizon_ = false;
      return leaf(player, end_value(s), "");
    }
    if constexpr (kNoisyMoves) {
      if (left.depth <= 0 && -left.depth < options_.quiescence && !hooks_.is_quiet &&
          knowledge_.may_stand_pat(s))
        return search_noisy(s, player, left, alpha, beta, ply);
    }
    if (left.depth <= 0 && (-left.depth >= options_.quiescence || is_quiet(s))) {
      horizon_ = true;
      return leaf(player, evaluate(s), "horizon");
    }
    if (ply >= kMaxPlies) {
      throw std::invalid_argument("the search passed " + std::to_string(kMaxPlies) +
                                  " plies without reaching the end of the game; give a depth or a budget");
    }
    // Step 2. Known without a search?
    bool keep = table_ != nullptr;
    TableKey<G> key{};
    if (keep) table_->prefetch(key = table_key(game_, s), left.depth);
    if constexpr (kForesees) {
      if (options_.only_value) {
        const Foresight known = knowledge_.foresee(s);
        const double low = maximiser_ == 0 ? known.low : -known.high;
        const double high = maximiser_ == 0 ? known.high : -known.low;
        if (low >= beta || low == high) return decided(low);
        if (high <= alpha) return decided(high);
        alpha = std::max(alpha, low);
        beta = std::min(beta, high);
        keep = keep && !known.forced;
      }
    }
    // Step 3. Seen before?
    Action table_move = kNoAction;
    if (keep) {
      if (const TableEntry* entry = table_->find(key, left.depth)) {
        table_move = entry->best;
        if (answers(*entry, left, alpha, beta)) {
          ++table_hits_;
          horizon_ = !entry->complete;
          if (table_move != kNoAction) f.line.assign(1, table_move);
          note(player, "transposition");
          return entry->value;
        }
      }
    }
    // Step 4. Chance averages, players choose.
    Action best = kNoAction;
    double value = 0.0;
    if (player == kChancePlayer) {
      value = search_chance(s, left, alpha, beta, ply);
    } else {
      if (probably_outside(s, player, left, alpha, beta, ply, value)) return value;
      value = search_choice(s, player, left, alpha, beta, ply, table_move, best);
    }
    if (keep) {
      const Bound bound = value <= alpha ? Bound::kUpper : value >= beta ? Bound::kLower : Bound::kExact;
      table_->store(key, {value, best, static_cast<std::int16_t>(left.depth),
                          static_cast<std::int16_t>(left.extensions), bound, !horizon_});
    }
    return value;
  }

  // ---- what moves pay on the way, and the discount (minimax_payments.h) ----
  double follow(const State& child, Left left, double alpha, double beta, int ply);
  double end_value(const State& s) const;
  double paid_by_move_to(const State& s) const;
  double weight_of(const State& s) const;
  double static_value(const State& s) const;

  // ---- chance nodes (minimax_chance.h) ----
  double search_chance(const State& s, Left left, double alpha, double beta, int ply);
  bool probe_outcomes(const State& s, Left left, double alpha, double beta, int ply, double& bound);
  void record_chance(const State& s, const std::vector<Outcome>& outcomes);

  // ---- choice nodes: moves, their order, forward pruning, extensions (minimax_moves.h) ----
  double search_choice(const State& s, int player, Left left, double alpha, double beta, int ply,
                       Action table_move, Action& best_action);
  void prepare_moves(const State& s, int player, Left left, Action first, int ply,
                     std::vector<Action>& actions, bool only_relevant);
  void sort_by_evaluation(const State& s, int player, std::vector<Action>& actions);
  Action singular_move(const State& s, int player, Left left, int ply, const std::vector<Action>& actions);
  bool probably_outside(const State& s, int player, Left left, double alpha, double beta, int ply,
                        double& value);
  double search_noisy(const State& s, int player, Left left, double alpha, double beta, int ply);
  void record_choice(const State& s, int player);

  // ---- small helpers ----
  // The value of what nothing is known of.
  double middle() const {
    const double value = 0.5 * (options_.min_utility + options_.max_utility);
    return std::isfinite(value) ? value : 0.0;
  }

  static Left extended(Left left) { return {left.depth, left.extensions - 1}; }

  bool recording() const { return recorder_ != nullptr && recorder_->recording(); }

  void note(int player, const char* text) {
    if (recording()) recorder_->note(player, text);
  }

  double leaf(int player, double value, const char* text) {
    ++leaves_;
    if (recording()) recorder_->leaf(player, value, text);
    return value;
  }

  double decided(double value) {
    horizon_ = false;
    return value;
  }

  double evaluate(const State& s) const {
    if (hooks_.evaluate) return hooks_.evaluate(s, maximiser_);
    if constexpr (!Knowledge<G>::kEvaluates) return middle();
    return for_maximiser(knowledge_.evaluate(s));
  }

  double for_maximiser(double first) const { return maximiser_ == 0 ? first : -first; }

  int player_after(const State& s, Action action) const {
    State child = s;
    game_.apply(child, action);
    return game_.player(child);
  }

  bool is_quiet(const State& s) const {
    return hooks_.is_quiet ? hooks_.is_quiet(s) : knowledge_.is_quiet(s);
  }

  static bool answers(const TableEntry& entry, Left left, double alpha, double beta) {
    // A shallower search that met only ends of the game would find the same again; a deeper one may have
    // looked past this horizon, and would change the value.
    const bool same = entry.depth == left.depth && entry.extensions == left.extensions;
    if (!same && !(entry.complete && entry.depth <= left.depth)) return false;
    return entry.bound == Bound::kExact || (entry.bound == Bound::kLower && entry.value >= beta) ||
           (entry.bound == Bound::kUpper && entry.value <= alpha);
  }

  void count_node() {
    if (nodes_ >= options_.max_nodes) throw Stopped{"nodes"};
    if (++nodes_ % hooks_.poll_every != 0) return;
    if (hooks_.interrupted && hooks_.interrupted()) throw Stopped{"interrupted"};
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    if (spent.count() >= options_.max_seconds) throw Stopped{"time"};
  }

  Frame& frame(int ply) {
    while (frames_.size() <= static_cast<std::size_t>(ply)) frames_.push_back(std::make_unique<Frame>());
    return *frames_[ply];
  }

  const G& game_;
  Knowledge<G> knowledge_;
  const MinimaxOptions options_;
  const MinimaxHooks<G> hooks_;
  Recorder* recorder_;
  MoveOrder order_;
  std::unique_ptr<Table> table_;
  std::vector<std::unique_ptr<Frame>> frames_;  // growing it moves no frame
  bool pays_;                                   // before the end
  double discount_;
  double low_;  // no value is below or above these
  double high_;
  int maximiser_ = 0;
  int deepest_ = 0;
  bool horizon_ = false;
  std::uint64_t nodes_ = 0, leaves_ = 0, cutoffs_ = 0, table_hits_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace dicezero

#include "search/minimax_chance.h"
#include "search/minimax_moves.h"
#include "search/minimax_payments.h"
#include "search/minimax_root.h"

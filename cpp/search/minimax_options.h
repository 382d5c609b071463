// What a minimax search is asked and what it answers. Values are for MAX, the player to move at the root.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "rules/game.h"

namespace dicezero {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr int kMaxPlies = 1000;           // recursion is stopped here: the game may have no end
inline constexpr int kToTheEnd = 2 * kMaxPlies;  // a depth no search reaches

enum class MoveOrdering { kNone, kEvaluation, kFull };
enum class ChancePruning { kNone, kStar1, kStar2 };

// ProbCut: at `depth` plies from the horizon a search of `shallow` plies foretells the deep value as
// slope * v + offset (both for the mover) with a normal error of standard deviation sigma.
struct ProbCut {
  int depth = 0;  // 0: off
  int shallow = 0;
  double slope = 1.0;
  double offset = 0.0;
  double sigma = 1.0;
  double threshold = 1.5;  // in standard deviations
};

struct MinimaxOptions {
  bool prune = true;    // false: every branch is searched
  bool chance = false;  // chance nodes are allowed
  ChancePruning chance_pruning = ChancePruning::kStar2;
  int depth = kToTheEnd;  // choice plies; chance nodes cost none
  bool iterative = false;
  std::uint64_t max_nodes = std::numeric_limits<std::uint64_t>::max();
  double max_seconds = kInfinity;
  MoveOrdering ordering = MoveOrdering::kFull;
  std::size_t table_entries = 0;  // 0: no transposition table
  int quiescence = 0;             // plies a position that is not quiet may be searched past the horizon
  int beam = 0;                   // moves kept at each choice node; 0: all
  double singular_margin = kInfinity;
  int singular_extensions = 0;  // along one line of play
  ProbCut probcut;
  bool exact_root = false;     // every root move gets its exact value
  bool skip_forced = false;    // a single legal move is played unsearched
  bool only_value = false;     // no lines of play: what the game knows of a position is not searched again
  bool utility_bounds = true;  // the search window starts at [min_utility, max_utility]
  double min_utility = -1.0;
  double max_utility = 1.0;
};

struct RootMove {
  Action action;
  double value = 0.0;
  bool exact = false;
  std::uint64_t nodes = 0;
};

struct MinimaxReport {
  Action action = kNoAction;
  double value = 0.0;
  std::vector<RootMove> root;
  std::vector<Action> line;  // up to the first chance node
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t cutoffs = 0;     // branches pruned
  std::uint64_t table_hits = 0;  // searches the table saved
  int depth = 0;  // of the last iteration that was finished; to the end: plies of the longest line
  std::string stopped;
};

}  // namespace dicezero

// What the algorithms of the core do with a game whose type only its own unit knows. `ops_of` finds it from
// the Python object; nothing in the bindings lists games.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "rules/parameters.h"
#include "rules/playouts.h"
#include "search/config.h"
#include "search/forest.h"
#include "search/minimax_options.h"

namespace dicezero {

class PyMonitor;
class PyTable;
class LearningJudge;
class TdGames;
struct TdSettings;
class UctSearcher;

// What to keep of an earlier forest: for each row the path to the position it is at now, empty for nothing.
using Paths = std::vector<std::vector<std::pair<int, Action>>>;

// Searches of B states, as dicezero.search.plan hands them over.
struct PlanArguments {
  nb::handle network;
  nb::list states;
  Array<std::uint64_t, 1> seeds;  // [B]
  PlanConfig config;
  std::optional<Array<double, 2>> gumbel;  // [B, A]
  const Forest* previous;
  const Paths& paths;
};

struct MinimaxArguments {
  nb::object state;
  const MinimaxOptions& options;
  nb::object evaluate;
  nb::object is_quiet;
  std::size_t record_nodes;
};

class Ops {
 public:
  virtual ~Ops() = default;

  virtual bool native() const = 0;
  virtual bool evaluates() const = 0;  // does the game bring an evaluation of positions?

  virtual std::vector<std::uint64_t> perft(nb::handle game, nb::handle state, int depth) const = 0;
  virtual Playouts random_playouts(nb::handle game, std::uint64_t count, std::uint64_t seed) const = 0;
  virtual nb::object state_key(nb::handle game, nb::handle state) const = 0;
  virtual nb::tuple afterstates(nb::handle game, nb::list states) const = 0;

  virtual int observation_size(nb::handle game) const = 0;
  // Plays natively for a learner.
  virtual std::unique_ptr<TdGames> td_games(nb::handle game, const LearningJudge& net,
                                            const TdSettings& settings) const = 0;

  virtual nb::dict minimax(nb::object game, const MinimaxArguments& asked) const = 0;
  virtual nb::tuple prove(nb::handle game, nb::list states, const MinimaxOptions& options,
                          int threads) const = 0;
  virtual std::unique_ptr<UctSearcher> uct_searcher(nb::object game) const = 0;
  virtual nb::dict plan(nb::handle game, const PlanArguments& asked) const = 0;

  virtual std::unique_ptr<PyTable> table(nb::object game, std::uint64_t max_states,
                                         PyMonitor& monitor) const = 0;
  virtual double state_bound(nb::handle game) const = 0;
  virtual double states_at_least(nb::handle game, double enough, double seconds,
                                 PyMonitor& monitor) const = 0;
  virtual nb::tuple sampled_states(nb::handle game, double enough, std::uint64_t most,
                                   PyMonitor& monitor) const = 0;
  // States of the game's ranked index; nothing for a game without one.
  virtual std::optional<std::uint64_t> ranked_states(nb::handle game) const = 0;

  // Many games in lock step; native games only.
  virtual nb::tuple roll_dice(nb::handle game, nb::list states, const Array<std::uint64_t, 1>& seeds,
                              const Array<std::int64_t, 1>& steps, std::uint64_t use) const = 0;
  virtual nb::tuple observe_states(nb::handle game, nb::list states) const = 0;
  virtual Column<double> apply_moves(nb::handle game, nb::list states,
                                     const Array<std::int32_t, 1>& actions) const = 0;
  virtual Matrix2<float> observe_by(nb::handle game, nb::list states,
                                    const Array<std::int32_t, 1>& players) const = 0;
};

struct RegisteredGame {
  std::string name;
  nb::handle type;  // the Python class; the module keeps it alive
  const Ops* ops;
  std::vector<ParameterInfo> parameters;
};

// In the order of games.def.
std::vector<RegisteredGame>& registered_games();

// The game's own, or those for any object that follows the protocol.
const Ops& ops_of(nb::handle game);

}  // namespace dicezero

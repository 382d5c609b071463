// Many native games played in lock step: dice by address, and what players see, for a list of states at once.
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings/module.h"
#include "bindings/state.h"

namespace dicezero {
namespace {

template <class T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Table = nb::ndarray<nb::numpy, T, nb::ndim<2>>;
using Seeds = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Steps = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::capsule owner_of(std::vector<T>* kept) {
  return nb::capsule(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
}

template <class T>
Column<T> column(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  return Column<T>(kept->data(), {kept->size()}, owner_of(kept));
}

template <class T>
Table<T> table(std::vector<T>&& values, std::size_t rows) {
  auto* kept = new std::vector<T>(std::move(values));
  return Table<T>(kept->data(), {rows, rows ? kept->size() / rows : 0}, owner_of(kept));
}

// Extends the address that led to `seed` by one part, as dicezero.selfplay.seeds does.
std::uint64_t extended(std::uint64_t seed, std::uint64_t part) {
  return mix64(seed ^ ((part + 1) * 0xd1342543de82ef95ULL));
}

// The outcome whose share of the total holds `uniform`; one of probability zero is never drawn.
Action drawn(const std::vector<Outcome>& outcomes, double uniform) {
  double total = 0.0;
  for (const Outcome& o : outcomes) total += o.probability;
  const double at = uniform * total;
  double end = 0.0;
  Action last = kNoAction;
  for (const Outcome& o : outcomes) {
    end += o.probability;
    if (at < end) return o.action;
    if (o.probability > 0.0) last = o.action;
  }
  return last;
}

// Calls f with the native game that made the states; a foreign one has its own way, in Python.
template <class F>
auto with_native_game(nb::handle game, F&& f) {
  return with_game(game, [&]<Game G>(const G& g) {
    if constexpr (std::is_same_v<G, ForeignGame>) {
      throw std::invalid_argument("the game is not native; use the way of plain Python");
      return f(Nannon(6, 3, 6));  // for its type only
    } else {
      return f(g);
    }
  });
}

template <Game G>
PyState<G>& changeable(nb::handle state) {
  if (!nb::isinstance<PyState<G>>(state)) {
    throw nb::type_error("the state does not belong to the game; make it with game.new_initial_state()");
  }
  return nb::cast<PyState<G>&>(state);
}

nb::tuple roll_dice(nb::handle game, nb::list states, Seeds seeds, Steps steps, std::uint64_t use) {
  if (seeds.shape(0) != nb::len(states) || steps.shape(0) != nb::len(states)) {
    throw std::invalid_argument("seeds and steps must have one number a state");
  }
  return with_native_game(game, [&]<Game G>(const G& g) {
    std::vector<std::int32_t> row, outcome, player;
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < nb::len(states); ++i) {
      PyState<G>& s = changeable<G>(states[i]);
      for (auto step = static_cast<std::uint64_t>(steps.data()[i]); g.player(s.state) == kChancePlayer;
           ++step) {
        g.outcomes(s.state, outcomes);
        const std::uint64_t lot = extended(extended(seeds.data()[i], step), use);
        const Action action = drawn(outcomes, static_cast<double>(lot >> 11) * 0x1p-53);
        g.apply(s.state, action);
        s.history.push_back(action);
        row.push_back(static_cast<std::int32_t>(i));
        outcome.push_back(action);
      }
      player.push_back(g.player(s.state));
    }
    return nb::make_tuple(column(std::move(row)), column(std::move(outcome)), column(std::move(player)));
  });
}

nb::tuple observe_states(nb::handle game, nb::list states) {
  return with_native_game(game, [&]<Game G>(const G& g) {
    const std::size_t rows = nb::len(states);
    std::size_t size = 1;
    for (const int n : g.observation_shape()) size *= static_cast<std::size_t>(n);
    const auto choices = static_cast<std::size_t>(g.num_actions());
    std::vector<float> observation(rows * size);
    std::vector<std::uint8_t> legal(rows * choices);
    std::vector<Action> actions;
    for (std::size_t i = 0; i < rows; ++i) {
      const PyState<G>& s = changeable<G>(states[i]);
      const int player = g.player(s.state);
      if (player < 0) {
        throw std::invalid_argument("states[" + std::to_string(i) + "] has no player to move");
      }
      g.observe(s.state, player, {observation.data() + i * size, size});
      g.legal_actions(s.state, actions);
      for (const Action a : actions) legal[i * choices + static_cast<std::size_t>(a)] = 1;
    }
    return nb::make_tuple(table(std::move(observation), rows), table(std::move(legal), rows));
  });
}

}  // namespace

void bind_lockstep(nb::module_& m) {
  m.def("roll_dice", &roll_dice, nb::arg("game"), nb::arg("states"), nb::arg("seeds"), nb::arg("steps"),
        nb::arg("use"),
        "Plays chance's part in every state until a player is to move or the game is over. A state's n-th "
        "roll is the lot of the address (seed, step + n, use). Gives the rolls, state by state, as their "
        "rows and outcomes, and who is to move then.");
  m.def("observe_states", &observe_states, nb::arg("game"), nb::arg("states"),
        "What the player to move sees in every state, [B, O], and its legal actions, [B, C].");
}

}  // namespace dicezero

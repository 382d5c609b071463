// One search of the minimax family over one type of game.
#pragma once

#include <optional>
#include <stdexcept>

#include "bindings/callbacks.h"
#include "bindings/ops.h"
#include "bindings/rules.h"
#include "search/minimax.h"

namespace dicezero {

nb::dict report_dict(const MinimaxReport& report);
nb::dict recording_dict(const Recorder& recorder);

template <Game G>
MinimaxHooks<G> make_hooks(nb::handle game_object, const G& game, const MinimaxOptions& options,
                           nb::object evaluate, nb::object is_quiet) {
  MinimaxHooks<G> hooks;
  if (!evaluate.is_none()) {
    hooks.evaluate =
        evaluation_callback(game_object, game, evaluate, options.min_utility, options.max_utility);
  }
  if (!is_quiet.is_none()) {
    hooks.is_quiet = [=, &game](const typename G::State& s) {
      const nb::gil_scoped_acquire gil;
      const nb::object state = python_state(game_object, game, s);
      return with_note("raised by is_quiet", state,
                       [&] { return nb::cast<bool>(nb::bool_(is_quiet(state))); });
    };
  }
  // A signal either interrupts a native stretch of the search, or raises inside Python code it calls.
  hooks.interrupted = keyboard_interrupted;
  hooks.is_interruption = is_keyboard_interrupt;
  if (kForeign<G> || hooks.evaluate || hooks.is_quiet) hooks.poll_every = 16;
  return hooks;
}

template <Game G>
nb::dict minimax_search(nb::object game_object, const G& game, const MinimaxArguments& asked) {
  const MinimaxOptions& options = asked.options;
  const typename G::State root = native_state<G>(game, asked.state);
  const int player = game.player(root);
  if (player < 0) {
    throw std::invalid_argument(player == kChancePlayer ? "the state is a chance node; apply an outcome first"
                                                        : "the game is over: there is no move to search");
  }
  const double low = options.utility_bounds ? options.min_utility : -kInfinity;
  const double high = options.utility_bounds ? options.max_utility : kInfinity;
  std::optional<Recorder> recorder;
  if (asked.record_nodes > 0) recorder.emplace(asked.record_nodes, Interval{low, high}, player);
  Minimax<G> search(game, options, make_hooks(game_object, game, options, asked.evaluate, asked.is_quiet),
                    recorder ? &*recorder : nullptr);
  MinimaxReport report;
  {
    const MaybeReleaseGil<G> release;
    report = search.run(root);
  }
  nb::dict d = report_dict(report);
  d["recording"] =
      recorder && report.stopped != "one legal move" ? nb::object(recording_dict(*recorder)) : nb::none();
  return d;
}

}  // namespace dicezero

// A solved game's table as Python holds it, whatever the game (src/dicezero/solve is its public face).
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "bindings/arrays.h"

namespace dicezero {

class PyTable {
 public:
  using Values = Array<double, 1>;
  using Seats = std::pair<double, double>;

  virtual ~PyTable() = default;

  const nb::object& game() const { return game_; }
  void keep(nb::object game) { game_ = std::move(game); }
  // Python's garbage collector asks what an object refers to.
  virtual int traverse(visitproc visit, void* arg) const = 0;

  virtual bool ranked() const = 0;
  virtual bool pays_on_the_way() const = 0;
  virtual bool cyclic() const = 0;    // may play go round in circles?
  virtual bool decisive() const = 0;  // is every return 1 or -1?
  virtual double discount() const = 0;
  virtual Seats returns_range() const = 0;  // the least and the greatest return
  virtual std::uint64_t states() const = 0;
  virtual std::uint64_t reachable() const = 0;
  virtual std::uint64_t decisions() const = 0;
  virtual std::tuple<nb::ndarray<nb::numpy, double>, std::uint64_t, double> solve(
      double tolerance, std::uint64_t max_iterations, int threads, nb::object progress) const = 0;
  // None for a policy: the best reply to the other.
  virtual std::tuple<Seats, Seats, std::uint64_t, double> evaluate(nb::object a, nb::object b,
                                                                   double tolerance,
                                                                   std::uint64_t max_iterations, int threads,
                                                                   nb::object progress) const = 0;
  virtual std::tuple<double, double, std::uint64_t> regret(const Values& values, nb::object policy,
                                                           nb::object progress) const = 0;
  virtual nb::ndarray<nb::numpy, double> visits(nb::object a, nb::object b, bool discounted, double tolerance,
                                                std::uint64_t max_iterations, nb::object progress) const = 0;
  // [stop - start, A], for the player to move; NaN where illegal.
  virtual nb::ndarray<nb::numpy, double> action_values(const Values& values, std::uint64_t start,
                                                       std::uint64_t stop) const = 0;
  // What can happen at a state, with its value for player 0; None for a ranked game, whose values follow from
  // those of the next states alone.
  virtual std::optional<std::vector<std::pair<Action, double>>> edge_values(const Values& values,
                                                                            nb::handle state) const = 0;
  virtual nb::ndarray<nb::numpy, std::int16_t> optimal_actions(const Values& values,
                                                               nb::object progress) const = 0;
  virtual nb::ndarray<nb::numpy, float> observations(std::uint64_t start, std::uint64_t stop) const = 0;
  virtual Matrix2<bool> legal(std::uint64_t start, std::uint64_t stop) const = 0;
  // A state of its own, with the moves that lead to it.
  virtual nb::object state(std::uint64_t decision) const = 0;
  // Where the value of a state is stored, and 1 if that value is player 0's, -1 if it is player 1's.
  virtual std::optional<std::pair<std::uint64_t, int>> find(nb::handle state) const = 0;
  virtual std::optional<std::uint64_t> find_decision(nb::handle state) const = 0;
  // Of every state, in the order of the values: numbers, or texts where those do not distinguish all. None
  // where the place of a state is computed.
  virtual nb::object keys() const = 0;

 protected:
  nb::object game_;
};

}  // namespace dicezero

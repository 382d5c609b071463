// A fixed policy over the decisions of a game: uniform, one action a decision, or probabilities.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "rules/game.h"

namespace dicezero {

class PolicyView {
 public:
  struct Uniform {};
  // Borrowed arrays: [M] actions, or [M, A] probabilities row by row. M decisions, A actions.
  using Data =
      std::variant<Uniform, std::span<const std::int16_t>, std::span<const float>, std::span<const double>>;

  PolicyView(Data data, int num_actions) : data_(data), num_actions_(static_cast<std::size_t>(num_actions)) {}

  // Probability of each legal action at a decision; they sum to 1.
  void weights(std::uint64_t decision, std::span<const Action> legal, std::vector<double>& weights) const {
    weights.assign(legal.size(), 0.0);
    if (std::holds_alternative<Uniform>(data_)) {
      weights.assign(legal.size(), 1.0 / static_cast<double>(legal.size()));
    } else if (const auto* actions = std::get_if<std::span<const std::int16_t>>(&data_)) {
      const Action chosen = (*actions)[decision];
      for (std::size_t i = 0; i < legal.size(); ++i) {
        if (legal[i] == chosen) {
          weights[i] = 1.0;
          return;
        }
      }
      throw std::invalid_argument("policy: action " + std::to_string(chosen) + " at decision " +
                                  std::to_string(decision) + " is illegal; see positions.legal()");
    } else if (const auto* singles = std::get_if<std::span<const float>>(&data_)) {
      normalise(singles->subspan(decision * num_actions_, num_actions_), decision, legal, weights);
    } else {
      normalise(std::get<std::span<const double>>(data_).subspan(decision * num_actions_, num_actions_),
                decision, legal, weights);
    }
  }

 private:
  // Networks give probabilities in single precision, so sums are allowed to be off by as much.
  static constexpr double kSlack = 1e-4;

  template <class Real>
  static void normalise(std::span<const Real> row, std::uint64_t decision, std::span<const Action> legal,
                        std::vector<double>& weights) {
    double sum = 0.0;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      weights[i] = static_cast<double>(row[static_cast<std::size_t>(legal[i])]);
      if (!(weights[i] >= 0.0)) sum = NAN;
      sum += weights[i];
    }
    if (!(std::fabs(sum - 1.0) <= kSlack)) {
      throw std::invalid_argument("policy: the probabilities of the legal actions at decision " +
                                  std::to_string(decision) + " sum to " + std::to_string(sum) +
                                  "; they must be at least 0 and sum to 1");
    }
    for (double& w : weights) w /= sum;
  }

  Data data_;
  std::size_t num_actions_;
};

// A side that plays a policy, or replies as well as it can (no policy).
using Rule = const PolicyView*;

}  // namespace dicezero

// An evaluator over every symmetric form of a position, and the mean of its outputs: logits and
// values are added in the order of the symmetries, so an answer depends on its row alone, whatever the batch.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "search/simulator.h"

namespace dicezero {

// Element i of what is turned is element cells[i] (actions[i]) of what was.
struct BoardSymmetry {
  std::vector<int> cells, actions;
};

class SymmetricEvaluator final : public Evaluator {
 public:
  // `inner` is to outlive this.
  SymmetricEvaluator(Evaluator& inner, std::vector<BoardSymmetry> symmetries)
      : inner_(inner), symmetries_(std::move(symmetries)) {
    if (dynamic_cast<SymmetricEvaluator*>(&inner) != nullptr) {  // the space of a thread serves one at a time
      throw std::invalid_argument("inner takes the mean over symmetries already; give a plain evaluator");
    }
    if (symmetries_.empty()) throw std::invalid_argument("symmetries is empty; give one or more");
    const int cells = static_cast<int>(symmetries_.front().cells.size());
    if (cells == 0 || inner.observation_size() % cells != 0) {
      throw std::invalid_argument("symmetries have " + std::to_string(cells) +
                                  " cells; the observation's size, " +
                                  std::to_string(inner.observation_size()) + ", is no multiple of that");
    }
    for (const BoardSymmetry& symmetry : symmetries_) {
      check_permutation("cells", symmetry.cells, cells);
      check_permutation("actions", symmetry.actions, inner.num_actions());
    }
  }

  int observation_size() const override { return inner_.observation_size(); }
  int num_actions() const override { return inner_.num_actions(); }
  bool parallel() const override { return inner_.parallel(); }

  void evaluate(int size, const float* observations, const std::uint8_t* legal, float* policy_logits,
                float* value) override {
    for (int at = 0; at < size; at += kRows) {
      const std::ptrdiff_t first = at;
      evaluate_some(std::min(kRows, size - at), observations + first * observation_size(),
                    legal + first * num_actions(), policy_logits + first * num_actions(), value + first);
    }
  }

 private:
  static constexpr int kRows = 32;  // positions at a time: with all their forms they fill any network's batch

  struct Space {
    std::vector<float> observations, logits, values;
    std::vector<std::uint8_t> legal;
    std::vector<double> sums;
  };

  static Space& space() {
    thread_local Space found;
    return found;
  }

  static void check_permutation(const char* name, const std::vector<int>& found, int size) {
    std::vector<bool> seen(static_cast<std::size_t>(size));
    bool fine = found.size() == seen.size();
    for (std::size_t i = 0; fine && i < found.size(); ++i) {
      fine = found[i] >= 0 && found[i] < size && !seen[static_cast<std::size_t>(found[i])];
      if (fine) seen[static_cast<std::size_t>(found[i])] = true;
    }
    if (!fine) {
      throw std::invalid_argument(std::string(name) + " of a symmetry are no permutation of 0.." +
                                  std::to_string(size - 1));
    }
  }

  void evaluate_some(int rows, const float* observations, const std::uint8_t* legal, float* policy_logits,
                     float* value) const {
    const auto forms = symmetries_.size();
    const auto o = static_cast<std::size_t>(observation_size());
    const auto a = static_cast<std::size_t>(num_actions());
    const auto count = static_cast<std::size_t>(rows) * forms;
    Space& s = space();
    s.observations.resize(count * o);
    s.legal.resize(count * a);
    s.logits.resize(count * a);
    s.values.resize(count);
    s.sums.resize(a);
    // Step 1. All forms of a row, one after another.
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      for (std::size_t form = 0; form < forms; ++form) {
        turn(symmetries_[form], observations + row * o, legal + row * a,
             s.observations.data() + (row * forms + form) * o, s.legal.data() + (row * forms + form) * a);
      }
    }
    inner_.evaluate(static_cast<int>(count), s.observations.data(), s.legal.data(), s.logits.data(),
                    s.values.data());
    // Step 2. The mean, on the board as it was.
    const auto divisor = static_cast<double>(forms);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      double sum = 0.0;
      std::fill(s.sums.begin(), s.sums.end(), 0.0);
      for (std::size_t form = 0; form < forms; ++form) {
        const std::vector<int>& actions = symmetries_[form].actions;
        const float* logits = s.logits.data() + (row * forms + form) * a;
        sum += s.values[row * forms + form];
        for (std::size_t i = 0; i < a; ++i) s.sums[static_cast<std::size_t>(actions[i])] += logits[i];
      }
      value[row] = static_cast<float>(sum / divisor);
      for (std::size_t i = 0; i < a; ++i)
        policy_logits[row * a + i] = static_cast<float>(s.sums[i] / divisor);
    }
  }

  void turn(const BoardSymmetry& symmetry, const float* observation, const std::uint8_t* legal, float* turned,
            std::uint8_t* turned_legal) const {
    const std::size_t cells = symmetry.cells.size();
    for (std::size_t first = 0; first < static_cast<std::size_t>(observation_size()); first += cells) {
      for (std::size_t i = 0; i < cells; ++i)
        turned[first + i] = observation[first + static_cast<std::size_t>(symmetry.cells[i])];
    }
    for (std::size_t i = 0; i < symmetry.actions.size(); ++i)
      turned_legal[i] = legal[static_cast<std::size_t>(symmetry.actions[i])];
  }

  Evaluator& inner_;
  std::vector<BoardSymmetry> symmetries_;
};

}  // namespace dicezero

// Tic-tac-toe: lines that can still be filled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "rules/tic_tac_toe.h"
#include "search/knowledge.h"

namespace dicezero {

template <>
struct Knowledge<TicTacToe> {
  static constexpr bool kEvaluates = true;
  explicit Knowledge(const TicTacToe&) {}

  // Lines only one side can still fill count by the side's stones on them.
  double evaluate(const TicTacToe::State& s) const {
    static constexpr std::array<double, 3> kWeights = {0.0, 0.03, 0.15};
    double sum = 0.0;
    for (const unsigned line : kLines) {
      const int first = std::popcount(TicTacToe::stones(s, 0) & line);
      const int second = std::popcount(TicTacToe::stones(s, 1) & line);
      if (second == 0 && first < 3) sum += kWeights[first];
      if (first == 0 && second < 3) sum -= kWeights[second];
    }
    return std::clamp(sum, -kMostEvaluation, kMostEvaluation);
  }

  // Quiet: nobody can fill a line with one stone.
  bool is_quiet(const TicTacToe::State& s) const {
    return std::none_of(kLines.begin(), kLines.end(), [&](unsigned line) {
      const int first = std::popcount(TicTacToe::stones(s, 0) & line);
      const int second = std::popcount(TicTacToe::stones(s, 1) & line);
      return first + second == 2 && first * second == 0;
    });
  }

 private:
  static constexpr std::array<unsigned, 8> kLines = {0b000000111u, 0b000111000u, 0b111000000u, 0b001001001u,
                                                     0b010010010u, 0b100100100u, 0b100010001u, 0b001010100u};
};

}  // namespace dicezero

// The moves of a range of Nannon positions, generated once and swept many times.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/nannon_reach.h"
#include "solve/parallel.h"
#include "solve/policy.h"

namespace dicezero {

// What a position is worth to whoever rolls, from what its successors are worth to whoever rolls there.
struct Backup {
  double sign;    // -1 for values (their gain is my loss), +1 for lengths
  double reward;  // 0 for values, 1 turn for lengths
};

inline constexpr Backup kValueBackup{-1.0, 0.0};
inline constexpr Backup kTurnsBackup{1.0, 1.0};

class NannonMoves {
 public:
  // With no policy every move is kept, one group a roll; under a policy its moves with their
  // probabilities, one group a position. A policy is asked about reachable positions only.
  NannonMoves(const NannonIndex& index, const NannonReach* reach, Rule rule, std::uint32_t begin,
              std::uint32_t end, int threads)
      : sides_(index.game().sides()), fixed_(rule != nullptr) {
    // Small ranges are not worth a thread.
    const std::uint32_t wanted = std::clamp<std::uint32_t>((end - begin) / kRowsPerThread, 1, threads);
    for (std::uint32_t t = 0; t < wanted; ++t) {
      parts_.push_back({begin + static_cast<std::uint32_t>(std::uint64_t{end - begin} * t / wanted),
                        begin + static_cast<std::uint32_t>(std::uint64_t{end - begin} * (t + 1) / wanted),
                        {0},
                        {},
                        {},
                        0.0});
    }
    for_each_part(parts_, [&](Part& part) {
      rule == nullptr ? generate_all(index, part) : generate_policy(index, *reach, *rule, part);
    });
  }

  // write[p] = backup of read over the range; returns the largest difference to `old`, which may be either
  // table. Parts write apart and read only `read`, so the result does not depend on the number of threads.
  double sweep(const double* read, double* write, const double* old, Backup backup) {
    for_each_part(parts_, [&](Part& part) {
      part.change =
          fixed_ ? sweep_policy(part, read, write, old, backup) : sweep_best(part, read, write, old);
    });
    double change = 0.0;
    for (const Part& part : parts_) change = std::max(change, part.change);
    return change;
  }

 private:
  static constexpr std::uint32_t kRowsPerThread = 2048;

  struct Part {
    std::uint32_t begin;
    std::uint32_t end;
    std::vector<std::uint32_t> starts;   // group g holds targets starts[g]..starts[g+1]
    std::vector<std::uint32_t> targets;  // ranks, as the player who rolls next sees them
    std::vector<double> weights;         // under a policy: of the roll and the move together
    double change;
  };

  void generate_all(const NannonIndex& index, Part& part) const {
    const Nannon& game = index.game();
    std::vector<Action> actions;
    part.starts.reserve(std::size_t{part.end - part.begin} * static_cast<std::size_t>(sides_) + 1);
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      Nannon::State state = index.unrank(p);
      for (int roll = 1; roll <= sides_; ++roll) {
        state.roll = static_cast<std::uint8_t>(roll);
        game.legal_actions(state, actions);
        for (const Action action : actions) part.targets.push_back(successor(index, state, action));
        part.starts.push_back(static_cast<std::uint32_t>(part.targets.size()));
      }
    }
  }

  void generate_policy(const NannonIndex& index, const NannonReach& reach, const PolicyView& policy,
                       Part& part) const {
    const Nannon& game = index.game();
    std::vector<Action> actions;
    std::vector<double> weights;
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      if (reach.contains(p)) {
        Nannon::State state = index.unrank(p);
        for (int roll = 1; roll <= sides_; ++roll) {
          if (!reach.occurs(p, roll)) continue;
          state.roll = static_cast<std::uint8_t>(roll);
          game.legal_actions(state, actions);
          policy.weights(reach.decision(p, roll), actions, weights);
          for (std::size_t i = 0; i < actions.size(); ++i) {
            if (weights[i] == 0.0) continue;
            part.targets.push_back(successor(index, state, actions[i]));
            part.weights.push_back(weights[i] / sides_);
          }
        }
      }
      part.starts.push_back(static_cast<std::uint32_t>(part.targets.size()));
    }
  }

  static std::uint32_t successor(const NannonIndex& index, Nannon::State state, Action action) {
    index.game().apply(state, action);
    return index.rank(state);
  }

  double sweep_best(const Part& part, const double* read, double* write, const double* old) const {
    double change = 0.0;
    const std::uint32_t* start = part.starts.data();
    const std::uint32_t* target = part.targets.data();
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      double sum = 0.0;
      for (int roll = 0; roll < sides_; ++roll, ++start) {
        double worst = read[target[start[0]]];  // best for me is worst for them
        for (std::uint32_t i = start[0] + 1; i < start[1]; ++i) worst = std::min(worst, read[target[i]]);
        sum -= worst;
      }
      sum /= sides_;
      change = std::max(change, std::fabs(sum - old[p]));
      write[p] = sum;
    }
    return change;
  }

  double sweep_policy(const Part& part, const double* read, double* write, const double* old,
                      Backup backup) const {
    double change = 0.0;
    const std::uint32_t* start = part.starts.data();
    for (std::uint32_t p = part.begin; p < part.end; ++p, ++start) {
      if (start[0] == start[1]) continue;  // never reached
      double sum = 0.0;
      for (std::uint32_t i = start[0]; i < start[1]; ++i) sum += part.weights[i] * read[part.targets[i]];
      sum = backup.reward + backup.sign * sum;
      change = std::max(change, std::fabs(sum - old[p]));
      write[p] = sum;
    }
    return change;
  }

  int sides_;
  bool fixed_;
  std::vector<Part> parts_;
};

}  // namespace dicezero

// The moves of a range of Nannon positions, generated once and swept many times.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "solve/nannon_reach.h"
#include "solve/parallel.h"
#include "solve/policy.h"

namespace dicezero {

// What a position is worth to the side that rolls when both sides follow policies: the value, and the
// turns still to come.
struct Worth {
  double value = 0.0;
  double turns = 0.0;
};

// Sums over the moves of a policy. Successors belong to the other side: their gain is my loss.
inline void add(double& sum, double weight, double successor) { sum -= weight * successor; }
inline void add(Worth& sum, double weight, const Worth& successor) {
  sum.value -= weight * successor.value;
  sum.turns += weight * (1.0 + successor.turns);
}
inline double difference(double a, double b) { return std::fabs(a - b); }
inline double difference(const Worth& a, const Worth& b) {
  return std::max(std::fabs(a.value - b.value), std::fabs(a.turns - b.turns));
}

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
                        {},
                        {},
                        {},
                        0.0});
    }
    for_each_part(parts_, [&](Part& part) {
      rule == nullptr ? generate_all(index, part) : generate_policy(index, *reach, *rule, part);
    });
  }

  // write[p] = what p is worth by `read`; returns the largest difference to `old`, which may be either
  // table. Parts write apart and read only `read`, so the result does not depend on the number of threads.
  template <class Entry>
  double sweep(const Entry* read, Entry* write, const Entry* old) {
    for_each_part(parts_, [&](Part& part) {
      if constexpr (std::is_same_v<Entry, double>) {
        if (!fixed_) {
          part.change = sweep_best(part, read, write, old);
          return;
        }
      }
      part.change = sweep_policy(part, read, write, old);
    });
    double change = 0.0;
    for (const Part& part : parts_) change = std::max(change, part.change);
    return change;
  }

  // Under a policy: mass that waits at the rows of `from` is counted in `visits` (where given) and moves on
  // to `to`. Returns what has moved.
  double push(double* from, double* to, double* visits) const {
    double moved = 0.0;
    for (const Part& part : parts_) {
      const std::uint16_t* size = part.sizes.data();
      const std::uint32_t* target = part.targets.data();
      const double* weight = part.weights.data();
      for (std::uint32_t p = part.begin; p < part.end; ++p) {
        const std::uint32_t* const end = target + *size++;
        const double mass = from[p];
        from[p] = 0.0;
        if (visits != nullptr) visits[p] += mass;
        moved += mass;
        for (; target < end; ++target, ++weight) to[*target] += *weight * mass;
      }
    }
    return moved;
  }

 private:
  static constexpr std::uint32_t kRowsPerThread = 2048;

  struct Part {
    std::uint32_t begin;
    std::uint32_t end;
    std::vector<std::uint16_t> sizes;    // moves of each group, one group after the other
    std::vector<std::uint32_t> targets;  // ranks, as the player who rolls next sees them
    std::vector<double> weights;         // under a policy: of the roll and the move together
    double change;
  };

  void generate_all(const NannonIndex& index, Part& part) const {
    const Nannon& game = index.game();
    std::vector<Action> actions;
    part.sizes.reserve(std::size_t{part.end - part.begin} * static_cast<std::size_t>(sides_));
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      Nannon::State state = index.unrank(p);
      for (int roll = 1; roll <= sides_; ++roll) {
        state.roll = static_cast<std::uint8_t>(roll);
        game.legal_actions(state, actions);
        for (const Action action : actions) part.targets.push_back(successor(index, state, action));
        part.sizes.push_back(static_cast<std::uint16_t>(actions.size()));
      }
    }
  }

  void generate_policy(const NannonIndex& index, const NannonReach& reach, const PolicyView& policy,
                       Part& part) const {
    const Nannon& game = index.game();
    std::vector<Action> actions;
    std::vector<double> weights;
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      const std::size_t before = part.targets.size();
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
      part.sizes.push_back(static_cast<std::uint16_t>(part.targets.size() - before));
    }
  }

  static std::uint32_t successor(const NannonIndex& index, Nannon::State state, Action action) {
    index.game().apply(state, action);
    return index.rank(state);
  }

  double sweep_best(const Part& part, const double* read, double* write, const double* old) const {
    double change = 0.0;
    const std::uint16_t* size = part.sizes.data();
    const std::uint32_t* target = part.targets.data();
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      double sum = 0.0;
      for (int roll = 0; roll < sides_; ++roll) {
        const std::uint32_t* const end = target + *size++;
        double worst = read[*target++];  // best for me is worst for them
        while (target < end) worst = std::min(worst, read[*target++]);
        sum -= worst;
      }
      sum /= sides_;
      change = std::max(change, difference(sum, old[p]));
      write[p] = sum;
    }
    return change;
  }

  template <class Entry>
  double sweep_policy(const Part& part, const Entry* read, Entry* write, const Entry* old) const {
    double change = 0.0;
    const std::uint16_t* size = part.sizes.data();
    const std::uint32_t* target = part.targets.data();
    const double* weight = part.weights.data();
    for (std::uint32_t p = part.begin; p < part.end; ++p) {
      const std::uint32_t* const end = target + *size++;
      if (target == end) continue;  // never reached
      Entry sum{};
      while (target < end) add(sum, *weight++, read[*target++]);
      change = std::max(change, difference(sum, old[p]));
      write[p] = sum;
    }
    return change;
  }

  int sides_;
  bool fixed_;
  std::vector<Part> parts_;
};

}  // namespace dicezero

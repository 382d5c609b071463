// The networks for boards: AlphaZero's evaluator, and the learned model of MuZero and NDMZ. Immutable after
// construction, so any number of threads may use one at once.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/board_heads.h"
#include "model/muzero_net.h"
#include "search/simulator.h"

namespace dicezero {

struct BoardSpace {
  TowerSpace tower;
  HeadSpace heads;
};

inline BoardSpace& board_space() {
  thread_local BoardSpace space;
  return space;
}

// Observations are [boards][channels][points]; networks want the channels innermost, zeros behind them.
inline void spread_planes(int boards, const Planes& planes, int stride, const float* from, float* to) {
  const int points = planes.points();
  for (int b = 0; b < boards; ++b, from += static_cast<std::ptrdiff_t>(planes.channels) * points) {
    for (int i = 0; i < points; ++i, to += stride) {
      for (int c = 0; c < planes.channels; ++c) to[c] = from[static_cast<std::ptrdiff_t>(c) * points + i];
      std::fill(to + planes.channels, to + stride, 0.0f);
    }
  }
}

class BoardEvaluator final : public Evaluator {
 public:
  // Heads: policy, value.
  BoardEvaluator(Planes planes, const std::vector<BlockSpec>& tower, const std::vector<HeadSpec>& heads,
                 const NumberHead& number, const Kernel& kernel)
      : tower_(planes, tower, kernel), heads_(tower_.out(), heads, number, kernel) {
    if (heads_.count() != 2 || heads_.columns(1) != 1) {
      throw std::invalid_argument("the evaluator needs a policy head and a value head");
    }
  }

  int observation_size() const override { return tower_.in().channels * tower_.in().points(); }
  int num_actions() const override { return heads_.columns(0); }
  bool parallel() const override { return true; }

  void evaluate(int size, const float* observations, const std::uint8_t* /*legal*/, float* policy_logits,
                float* value) override {
    BoardSpace& space = board_space();
    for (int at = 0; at < size; at += tower_.slice()) {
      const int boards = std::min(tower_.slice(), size - at);
      const std::ptrdiff_t first = at;
      spread_planes(boards, tower_.in(), tower_.in_stride(), observations + first * observation_size(),
                    tower_.input(boards, space.tower));
      float* answers[] = {policy_logits + first * num_actions(), value + first};
      heads_.run(boards, tower_.run(boards, space.tower), space.heads, answers);
    }
  }

 private:
  Tower tower_;
  BoardHeads heads_;
};

// The three networks of MuZero, or with identities > 0 of NDMZ; a hidden state is the planes of a tower,
// [points][channels]:
//   representation  observation -> hidden
//   dynamics        hidden and planes that stand for the action -> hidden; heads reward, identity
//   prediction      heads policy, chance, value over the hidden state
class BoardModel final : public Simulator {
 public:
  struct Parts {
    std::vector<BlockSpec> representation, dynamics;
    std::vector<HeadSpec> dynamics_heads, prediction_heads;
    int num_actions, action_planes, action_size;
    const float* actions;  // [num_actions, action_size = points of the hidden state * action_planes]
  };

  BoardModel(Planes planes, const Parts& parts, int num_identities, bool scale_hidden,
             const NumberHead& number, const Kernel& kernel)
      : representation_(planes, parts.representation, kernel),
        dynamics_(with_action(representation_.out(), parts.action_planes), parts.dynamics, kernel),
        dynamics_heads_(dynamics_.out(), parts.dynamics_heads, number, kernel),
        prediction_(representation_.out(), parts.prediction_heads, number, kernel),
        actions_(parts.actions,
                 parts.actions + static_cast<std::ptrdiff_t>(parts.num_actions) * parts.action_size),
        num_actions_(parts.num_actions),
        action_planes_(parts.action_planes),
        identities_(num_identities),
        scale_hidden_(scale_hidden) {
    const Planes &before = representation_.out(), &after = dynamics_.out();
    if (before.channels != after.channels || before.points() != after.points() || !heads_fit() ||
        parts.action_size != before.points() * action_planes_) {
      throw std::invalid_argument("the three networks do not fit together; check their planes and heads");
    }
  }

  int observation_size() const { return representation_.in().channels * representation_.in().points(); }
  int hidden_size() const override { return hidden().channels * hidden().points(); }
  int num_actions() const override { return num_actions_; }
  int num_identities() const override { return identities_; }
  bool parallel() const override { return true; }

  // observations [M, O] -> hidden [M, H], policy_logits [M, A], value [M].
  void root(int size, const float* observations, float* hidden_rows, float* policy_logits,
            float* value) const {
    BoardSpace& space = board_space();
    for (int at = 0; at < size; at += representation_.slice()) {
      const int boards = std::min(representation_.slice(), size - at);
      const std::ptrdiff_t first = at;
      spread_planes(boards, representation_.in(), representation_.in_stride(),
                    observations + first * observation_size(), representation_.input(boards, space.tower));
      float* planes = const_cast<float*>(representation_.run(boards, space.tower));
      for (int i = 0; i < boards; ++i) {
        leave(i, planes, hidden_rows + (first + i) * hidden_size());
      }
      predict(boards, planes, space, policy_logits + first * num_actions_, nullptr, value + first);
    }
  }

  void step(const StepBatch& batch) override { step_plainly(batch); }

  void step_plainly(const StepBatch& batch) const {
    for (int i = 0; i < batch.size; ++i) {
      if (batch.action[i] < 0 || batch.action[i] >= num_actions_) {
        throw std::invalid_argument("action[" + std::to_string(i) + "] = " + std::to_string(batch.action[i]) +
                                    " is out of range; give 0.." + std::to_string(num_actions_ - 1));
      }
    }
    BoardSpace& space = board_space();
    const int stride = dynamics_.in_stride(), channels = hidden().channels, points = hidden().points();
    for (int at = 0; at < batch.size; at += dynamics_.slice()) {
      const int boards = std::min(dynamics_.slice(), batch.size - at);
      const std::ptrdiff_t first = at;
      float* to = dynamics_.input(boards, space.tower);
      for (int i = 0; i < boards; ++i) {
        const float* from = batch.hidden[at + i];
        const float* action =
            actions_.data() + static_cast<std::ptrdiff_t>(batch.action[at + i]) * points * action_planes_;
        for (int p = 0; p < points; ++p, to += stride, from += channels, action += action_planes_) {
          std::copy_n(from, channels, to);
          std::copy_n(action, action_planes_, to + channels);
          std::fill(to + channels + action_planes_, to + stride, 0.0f);
        }
      }
      float* planes = const_cast<float*>(dynamics_.run(boards, space.tower));
      float* answers[] = {batch.reward + first, shifted(batch.identity_logits, first * identities_)};
      dynamics_heads_.run(boards, planes, space.heads, answers);
      for (int i = 0; i < boards; ++i) leave(i, planes, batch.next_hidden[at + i]);
      predict(boards, planes, space, batch.policy_logits + first * num_actions_,
              shifted(batch.chance_logits, first * num_actions_), batch.value + first);
    }
  }

 private:
  const Planes& hidden() const { return representation_.out(); }

  static Planes with_action(Planes planes, int action_planes) {
    planes.channels += action_planes;
    return planes;
  }

  bool heads_fit() const {
    const bool ndmz = identities_ > 0;
    if (dynamics_heads_.count() != 1 + ndmz || prediction_.count() != 2 + ndmz) return false;
    return dynamics_heads_.columns(0) == 1 && prediction_.columns(0) == num_actions_ &&
           prediction_.columns(1 + ndmz) == 1 &&
           (!ndmz || (dynamics_heads_.columns(1) == identities_ && prediction_.columns(1) == num_actions_));
  }

  // Board i's planes as a row of the tree, scaled in both places where that is asked for.
  void leave(int i, float* planes, float* row) const {
    const int stride = representation_.out_stride(), channels = hidden().channels, points = hidden().points();
    float* board = planes + static_cast<std::ptrdiff_t>(i) * points * stride;
    copy_columns(points, board, stride, 0, channels, row);
    if (!scale_hidden_) return;
    scale_row(row, hidden_size());
    for (int p = 0; p < points; ++p) {
      std::copy_n(row + static_cast<std::ptrdiff_t>(p) * channels, channels,
                  board + static_cast<std::ptrdiff_t>(p) * stride);
    }
  }

  void predict(int boards, const float* planes, BoardSpace& space, float* policy_logits, float* chance_logits,
               float* value) const {
    float* with_chance[] = {policy_logits, chance_logits, value};
    float* without[] = {policy_logits, value};
    prediction_.run(boards, planes, space.heads, identities_ > 0 ? with_chance : without);
  }

  Tower representation_, dynamics_;
  BoardHeads dynamics_heads_, prediction_;
  std::vector<float> actions_;
  int num_actions_, action_planes_, identities_;
  bool scale_hidden_;
};

}  // namespace dicezero

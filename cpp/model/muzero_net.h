// The learned model of MuZero and NDMZ. Immutable after construction, so any number of threads may use one at
// once.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/folded.h"
#include "model/mlp.h"
#include "search/simulator.h"

namespace dicezero {

// Stretches a row to [0, 1]: MuZero's scaling of hidden states.
inline void scale_row(float* row, int width) {
  const auto [low, high] = std::minmax_element(row, row + width);
  const float least = *low, range = *high - least + 1e-5f;
  for (int i = 0; i < width; ++i) row[i] = (row[i] - least) / range;
}

// What of the old hidden state the dynamics' answer is added to: nothing, itself, or itself with its halves
// exchanged.
enum class Skip { kNone, kPlain, kTurned };

// The networks of MuZero, or with identities > 0 of NDMZ:
//   representation  observation -> hidden
//   dynamics        (hidden, action) -> hidden, reward, identity logits
//   prediction      hidden -> policy logits, chance logits, value
// The heads of a network are the columns of its last layer, in this order; without identities there are no
// identity and no chance columns; reward and value are what `number` takes. The action enters the dynamics
// through the bias: its first layer has one bias row an action.
class MuZeroNet final : public Simulator {
 public:
  using Layers = std::vector<LayerWeights>;

  MuZeroNet(const Layers& representation, const Layers& dynamics, const Layers& prediction, int num_actions,
            int num_identities, Activation activation, bool scale_hidden, Skip skip, const NumberHead& number,
            const Kernel& kernel)
      : representation_(representation, activation, kernel),
        dynamics_(dynamics, activation, kernel),
        prediction_(prediction, activation, kernel),
        hidden_(representation_.outputs()),
        actions_(num_actions),
        identities_(num_identities),
        chance_(num_identities > 0 ? num_actions : 0),
        scale_hidden_(scale_hidden),
        skip_(skip),
        number_(number) {
    if (dynamics_.inputs() != hidden_ || prediction_.inputs() != hidden_ ||
        dynamics_.outputs() != hidden_ + number_.columns() + identities_ ||
        prediction_.outputs() != actions_ + chance_ + number_.columns()) {
      throw std::invalid_argument("the three networks do not fit together; check their heads");
    }
    if (skip == Skip::kTurned && hidden_ % 2 != 0) {
      throw std::invalid_argument("a hidden state of " + std::to_string(hidden_) +
                                  " numbers has no halves; give an even size");
    }
    // Scaling and skipping stand between the layers that would be folded.
    if (!scale_hidden && skip == Skip::kNone && FoldedStep::saves(dynamics, prediction)) {
      folded_.emplace(dynamics, prediction, hidden_, actions_, identities_, activation, number_, kernel);
    }
  }

  int observation_size() const { return representation_.inputs(); }
  int hidden_size() const override { return hidden_; }
  int num_actions() const override { return actions_; }
  int num_identities() const override { return identities_; }
  bool parallel() const override { return true; }

  // observations [M, O] -> hidden [M, H], policy_logits [M, A], value [M].
  void root(int size, const float* observations, float* hidden, float* policy_logits, float* value) const {
    Workspace& space = thread_workspace();
    for (int at = 0; at < size; at += kChunkRows) {
      const int rows = std::min(kChunkRows, size - at);
      const std::ptrdiff_t first = at;
      const float* x = observations + first * observation_size();
      const float* state = representation_.run(rows, x, observation_size(), nullptr, space.even, space.odd);
      copy_columns(rows, state, representation_.stride(), 0, hidden_, hidden + first * hidden_);
      for (int i = 0; scale_hidden_ && i < rows; ++i) scale_row(hidden + (first + i) * hidden_, hidden_);
      predict(rows, hidden + first * hidden_, hidden_, policy_logits + first * actions_, nullptr,
              value + first);
    }
  }

  // As the planner steps it: rows are those of the folded step, where there is one.
  int row_size() const override { return folded_ ? folded_->row_size() : hidden_; }
  void enter(const float* hidden, float* row) const override {
    folded_ ? folded_->enter(hidden, row) : Simulator::enter(hidden, row);
  }
  void step(const StepBatch& batch) override {
    if (!folded_) return step_plainly(batch);
    check_actions(batch);
    folded_->step(batch);
  }

  // The three networks as they stand; the rows are hidden states.
  void step_plainly(const StepBatch& batch) const {
    check_actions(batch);
    Workspace& space = thread_workspace();
    for (int at = 0; at < batch.size; at += kChunkRows) {
      const int rows = std::min(kChunkRows, batch.size - at);
      const std::ptrdiff_t first = at;
      float* input = reserve(space.input, static_cast<std::size_t>(kChunkRows) * hidden_);
      for (int i = 0; i < rows; ++i) {
        std::copy_n(batch.hidden[at + i], hidden_, input + static_cast<std::ptrdiff_t>(i) * hidden_);
      }
      const float* out = dynamics_.run(rows, input, hidden_, batch.action + at, space.even, space.odd);
      for (int i = 0; i < rows; ++i) {
        const float* row = out + static_cast<std::ptrdiff_t>(i) * dynamics_.stride();
        float* next = batch.next_hidden[at + i];
        std::copy_n(row, hidden_, next);
        add_skipped(input + static_cast<std::ptrdiff_t>(i) * hidden_, next);
        if (scale_hidden_) scale_row(next, hidden_);
        std::copy_n(next, hidden_, input + static_cast<std::ptrdiff_t>(i) * hidden_);
      }
      number_.read(rows, out, dynamics_.stride(), hidden_, batch.reward + first);
      copy_columns(rows, out, dynamics_.stride(), hidden_ + number_.columns(), identities_,
                   shifted(batch.identity_logits, first * identities_));
      predict(rows, input, hidden_, batch.policy_logits + first * actions_,
              shifted(batch.chance_logits, first * actions_), batch.value + first);
    }
  }

 private:
  void add_skipped(const float* before, float* next) const {
    if (skip_ == Skip::kNone) return;
    const int half = skip_ == Skip::kTurned ? hidden_ / 2 : 0;
    for (int i = 0; i < hidden_ - half; ++i) next[i] += before[i + half];
    for (int i = 0; i < half; ++i) next[hidden_ - half + i] += before[i];
  }

  void predict(int rows, const float* hidden, std::ptrdiff_t stride, float* policy_logits,
               float* chance_logits, float* value) const {
    Workspace& space = thread_workspace();
    const float* out = prediction_.run(rows, hidden, stride, nullptr, space.even, space.odd);
    copy_columns(rows, out, prediction_.stride(), 0, actions_, policy_logits);
    if (chance_) copy_columns(rows, out, prediction_.stride(), actions_, actions_, chance_logits);
    number_.read(rows, out, prediction_.stride(), actions_ + chance_, value);
  }

  void check_actions(const StepBatch& batch) const {
    for (int i = 0; i < batch.size; ++i) {
      if (batch.action[i] < 0 || batch.action[i] >= actions_) {
        throw std::invalid_argument("action[" + std::to_string(i) + "] = " + std::to_string(batch.action[i]) +
                                    " is out of range; give 0.." + std::to_string(actions_ - 1));
      }
    }
  }

  Mlp representation_, dynamics_, prediction_;
  int hidden_, actions_, identities_, chance_;
  bool scale_hidden_;
  Skip skip_;
  NumberHead number_;  // of reward and value
  std::optional<FoldedStep> folded_;
};

}  // namespace dicezero

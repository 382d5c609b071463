// What the planner needs of a network: a learned model (Simulator) or a judge of true positions (Evaluator).
#pragma once

#include <algorithm>
#include <cstdint>

namespace dicezero {

// What a learned model answers for a batch of M (hidden, action) pairs. All pointers are row-major and owned
// by the caller.
struct StepBatch {
  int size;                    // M
  float* const* hidden;        // [M] pointers to the parents' rows, scattered in an arena
  const std::int32_t* action;  // [M]
  float* const* next_hidden;   // [M] pointers to the rows to be written
  float* reward;               // [M]
  float* policy_logits;        // [M, A]
  float* value;                // [M]
  float* identity_logits;      // [M, N] or null
  float* chance_logits;        // [M, A] or null
};

class Simulator {
 public:
  virtual ~Simulator() = default;
  virtual int hidden_size() const = 0;
  virtual int num_actions() const = 0;
  virtual int num_identities() const = 0;
  virtual bool parallel() const = 0; /* may be stepped from several threads at once */
  virtual void step(const StepBatch& batch) = 0;

  // What a tree keeps of a node is the model's own affair: a row of so many floats, which only `enter` and
  // `step` read and write. The hidden state itself, unless the model knows better.
  virtual int row_size() const { return hidden_size(); }
  virtual void enter(const float* hidden, float* row) const { std::copy_n(hidden, hidden_size(), row); }
};

// Priors and value of M positions of a game whose rules are known, each for the player to move there.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual int observation_size() const = 0;
  virtual int num_actions() const = 0;
  virtual bool parallel() const = 0; /* may be asked from several threads at once */
  // observations [M, O], legal [M, A] -> policy_logits [M, A], value [M]. Logits of illegal actions mean
  // nothing.
  virtual void evaluate(int size, const float* observations, const std::uint8_t* legal, float* policy_logits,
                        float* value) = 0;
};

}  // namespace dicezero

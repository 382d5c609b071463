// Native networks of random sizes on every kernel of this machine, to be run under the sanitizers. The folded
// step has to return what the three networks return as they stand.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "model/muzero_net.h"
#include "rules/random.h"

namespace dicezero {
namespace {

using Floats = std::vector<float>;

int size_up_to(Rng& rng, int most) {
  return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most)));
}

Floats draw(Rng& rng, std::size_t count, double scale) {
  Floats made(count);
  for (float& x : made) x = static_cast<float>(scale * (2.0 * rng.uniform() - 1.0));
  return made;
}

// The weights of a perceptron; the layers point into them.
struct Drawn {
  Drawn(Rng& rng, int inputs, int depth, int outputs, int bias_rows) {
    numbers.reserve(static_cast<std::size_t>(2 * depth + 2));  // nothing may move
    for (int i = 0; i <= depth; ++i) {
      const int next = i == depth ? outputs : size_up_to(rng, 70);
      const int rows = i == 0 ? bias_rows : 1;
      const float* weights = add(draw(rng, static_cast<std::size_t>(inputs) * next, 1.0 / std::sqrt(inputs)));
      layers.push_back(
          {inputs, next, rows, weights, add(draw(rng, static_cast<std::size_t>(rows) * next, 0.5))});
      inputs = next;
    }
  }

  const float* add(Floats made) {
    numbers.push_back(std::move(made));
    return numbers.back().data();
  }

  std::vector<Floats> numbers;
  std::vector<LayerWeights> layers;
};

// A model's outputs for a batch, and the rows it leaves behind.
struct Said {
  Said(const Simulator& model, int rows, int row_size)
      : next(static_cast<std::size_t>(rows) * row_size),
        reward(static_cast<std::size_t>(rows)),
        policy(static_cast<std::size_t>(rows) * model.num_actions()),
        value(static_cast<std::size_t>(rows)),
        identity(static_cast<std::size_t>(rows) * model.num_identities()),
        chance(model.num_identities() ? policy.size() : 0) {
    for (int i = 0; i < rows; ++i) at.push_back(next.data() + static_cast<std::ptrdiff_t>(i) * row_size);
  }

  StepBatch batch(std::vector<float*>& parents, const std::vector<std::int32_t>& action) {
    return {static_cast<int>(parents.size()),
            parents.data(),
            action.data(),
            at.data(),
            reward.data(),
            policy.data(),
            value.data(),
            identity.empty() ? nullptr : identity.data(),
            chance.empty() ? nullptr : chance.data()};
  }

  Floats next, reward, policy, value, identity, chance;
  std::vector<float*> at;
};

void expect_close(const Floats& a, const Floats& b, const char* what) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) <= 1e-3f * (1.0f + std::abs(b[i]))) continue;
    std::printf("%s[%zu]: folded %g, plain %g\n", what, i, static_cast<double>(a[i]),
                static_cast<double>(b[i]));
    std::abort();
  }
}

// Three steps from the same roots, by either way. Returns the positions evaluated.
int soak_model(Rng& rng) {
  const int observation = size_up_to(rng, 40), hidden = size_up_to(rng, 80), actions = size_up_to(rng, 20);
  const int identities = rng.below(2) ? 4 : 0, chance = identities ? actions : 0;
  const Kernel& kernel = kernels()[rng.below(static_cast<std::uint32_t>(kernels().size()))];
  const NumberHead number(rng.below(2) ? Floats{} : Floats{-2.0f, -1.0f, 0.0f, 1.0f, 2.0f}, kernel);
  const Drawn representation(rng, observation, size_up_to(rng, 3) - 1, hidden, 1);
  const Drawn dynamics(rng, hidden, size_up_to(rng, 3), hidden + number.columns() + identities, actions);
  const Drawn prediction(rng, hidden, size_up_to(rng, 3), actions + chance + number.columns(), 1);
  const auto activation = static_cast<Activation>(rng.below(4));
  const auto skip = rng.below(2) ? Skip::kNone : hidden % 2 ? Skip::kPlain : Skip::kTurned;
  MuZeroNet net(representation.layers, dynamics.layers, prediction.layers, actions, identities, activation,
                rng.below(4) == 0, skip, number, kernel);

  const int rows = size_up_to(rng, 300);
  const Floats seen = draw(rng, static_cast<std::size_t>(rows) * observation, 1.0);
  Floats plain(static_cast<std::size_t>(rows) * hidden), logits(static_cast<std::size_t>(rows) * actions),
      value(static_cast<std::size_t>(rows));
  net.root(rows, seen.data(), plain.data(), logits.data(), value.data());
  Floats kept(static_cast<std::size_t>(rows) * net.row_size());
  std::vector<float*> parents, plain_parents;
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    plain_parents.push_back(plain.data() + i * hidden);
    parents.push_back(kept.data() + i * net.row_size());
    net.enter(plain_parents.back(), parents.back());
  }
  std::vector<Said> folded_steps, plain_steps;  // kept, as the rows of one are the parents of the next
  folded_steps.reserve(3);
  plain_steps.reserve(3);
  for (int k = 0; k < 3; ++k) {
    std::vector<std::int32_t> action;
    for (int i = 0; i < rows; ++i) action.push_back(size_up_to(rng, actions) - 1);
    Said& folded = folded_steps.emplace_back(net, rows, net.row_size());
    Said& as_it_stands = plain_steps.emplace_back(net, rows, hidden);
    net.step(folded.batch(parents, action));
    net.step_plainly(as_it_stands.batch(plain_parents, action));
    expect_close(folded.reward, as_it_stands.reward, "reward");
    expect_close(folded.policy, as_it_stands.policy, "policy");
    expect_close(folded.value, as_it_stands.value, "value");
    expect_close(folded.identity, as_it_stands.identity, "identity");
    expect_close(folded.chance, as_it_stands.chance, "chance");
    parents = folded.at;
    plain_parents = as_it_stands.at;
  }
  return 3 * rows;
}

}  // namespace
}  // namespace dicezero

int main() {
  dicezero::Rng rng(3);
  long positions = 0;
  for (int i = 0; i < 400; ++i) positions += dicezero::soak_model(rng);
  std::printf("soak_network: %ld positions through 400 models, folded and plain alike\n", positions);
}

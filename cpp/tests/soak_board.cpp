// Random towers and board networks on every kernel of this machine, to be run under the sanitizers: they
// return what plain loops return, and a board's answer does not depend on its batch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "drawn_board.h"
#include "model/board_net.h"
#include "model/conv_gradient.h"
#include "model/symmetric.h"
#include "plain_tower.h"
#include "rules/random.h"

namespace dicezero {
namespace {

int between(Rng& rng, int least, int most) { return least - 1 + up_to(rng, most - least + 1); }

Planes draw_board(Rng& rng, int most) { return {up_to(rng, most), up_to(rng, most), up_to(rng, 20)}; }

const Kernel& draw_kernel(Rng& rng) {
  return kernels()[rng.below(static_cast<std::uint32_t>(kernels().size()))];
}

// What the towers were made of.
struct Met {
  std::set<std::string> kinds;  // of layers, a bottleneck's among them
  std::set<int> sides;
};

// A tower beside plain loops.
void soak_tower(Rng& rng, int least, int most, Met& met) {
  Drawn drawn(rng);
  const Planes before{between(rng, least, most), between(rng, least, most), up_to(rng, most > 40 ? 4 : 20)};
  Planes after = before;
  const std::vector<BlockSpec> blocks = drawn.tower(after, 0, most > 20);
  for (const BlockSpec& block : blocks) {
    for (const LayerSpec& layer : block.layers) met.kinds.insert(layer.kind);
    if (block.layers.size() == 4) met.kinds.insert("bottleneck");
  }
  met.sides.insert({before.height, before.width});
  const Tower tower(before, blocks, draw_kernel(rng));
  const int boards = most > 40 ? 1 : up_to(rng, 3);
  const std::size_t size = static_cast<std::size_t>(before.points()) * before.channels;
  const float* x = drawn.numbers(boards * size, 1.0);
  TowerSpace space;
  spread_planes(boards, before, tower.in_stride(), x, tower.input(boards, space));
  const float* y = tower.run(boards, space);
  for (int b = 0; b < boards; ++b) {
    PlainBoard board{before, std::vector<double>(size)};
    for (int i = 0; i < before.points(); ++i) {
      for (int c = 0; c < before.channels; ++c) {
        board.at[static_cast<std::size_t>(i * before.channels + c)] = x[b * size + c * before.points() + i];
      }
    }
    const PlainBoard wanted = plain_tower(std::move(board), blocks);
    double most_seen = 1.0;
    for (const double v : wanted.at) most_seen = std::max(most_seen, std::abs(v));
    for (int i = 0; i < after.points(); ++i, y += tower.out_stride()) {
      for (int c = 0; c < after.channels; ++c) {
        const double computed = y[c], plain = wanted.at[static_cast<std::size_t>(i * after.channels + c)];
        if (!(std::abs(computed - plain) <= 1e-5 * most_seen)) fail("a tower differs from plain loops");
      }
    }
  }
}

// A convolution for training: as long as the ReLU passes everything it is linear in x and in the weights, so
// the gradients of both, times what they are gradients of, are the gradient of y times y.
void soak_gradient(Rng& rng) {
  Drawn drawn(rng);
  const Planes in = draw_board(rng, 12);
  const int outputs = up_to(rng, 40), boards = up_to(rng, 9);
  const auto size = [&](int channels) { return static_cast<std::size_t>(boards) * in.points() * channels; };
  const WeightArray weights = drawn.array({3, 3, in.channels, outputs});
  const float *x = drawn.numbers(size(in.channels), 1.0), *gradient = drawn.numbers(size(outputs), 1.0);
  const Floats bias(static_cast<std::size_t>(outputs)), skip(size(outputs), 64.0f);
  Floats y(size(outputs)), x_gradient(size(in.channels)), weights_gradient(9u * in.channels * outputs),
      bias_gradient(bias.size()), skip_gradient(size(outputs));
  const TrainedConvolution convolution(in, outputs, weights.data, draw_kernel(rng));
  convolution.forward(boards, x, bias.data(), skip.data(), y.data());
  convolution.backward(boards, x, y.data(), gradient, x_gradient.data(), weights_gradient.data(),
                       bias_gradient.data(), skip_gradient.data());
  double by_y = 0.0, by_x = 0.0, by_weights = 0.0, total = 0.0, by_bias = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    by_y += gradient[i] * (static_cast<double>(y[i]) - 64.0);
    total += gradient[i];
    if (skip_gradient[i] != gradient[i]) fail("a passing ReLU changed a gradient");
  }
  for (std::size_t i = 0; i < x_gradient.size(); ++i) by_x += static_cast<double>(x_gradient[i]) * x[i];
  for (std::size_t i = 0; i < weights_gradient.size(); ++i) {
    by_weights += static_cast<double>(weights_gradient[i]) * weights.data[i];
  }
  for (const float b : bias_gradient) by_bias += b;
  const double slack = 1e-4 * std::sqrt(static_cast<double>(y.size())) + 1e-3;
  if (std::abs(by_y - by_x) > slack || std::abs(by_y - by_weights) > slack ||
      std::abs(total - by_bias) > slack) {
    fail("a convolution's gradients do not belong to it");
  }
}

// A learned model: each row alone has the outputs it has among the others.
long soak_model(Rng& rng) {
  Drawn drawn(rng);
  const Planes board = draw_board(rng, 11);
  Planes hidden = board;
  const int actions = up_to(rng, 60), identities = rng.below(2) ? 4 : 0, action_planes = up_to(rng, 4);
  BoardModel::Parts parts;
  parts.representation = drawn.tower(hidden, 0, true);
  Planes with_action{hidden.height, hidden.width, hidden.channels + action_planes};
  parts.dynamics = drawn.tower(with_action, hidden.channels, false);
  Floats support;  // a grid, or none
  for (int i = 0, most = static_cast<int>(rng.below(3)); i < 2 * most; ++i) {
    support.push_back(static_cast<float>(i - most));
  }
  const Kernel& kernel = draw_kernel(rng);
  const NumberHead number(support, kernel);
  parts.dynamics_heads = {drawn.head(hidden, number.columns(), true)};
  parts.prediction_heads = {drawn.head(hidden, actions)};
  if (identities) {
    parts.dynamics_heads.push_back(drawn.head(hidden, identities));
    parts.prediction_heads.push_back(drawn.head(hidden, actions));
  }
  parts.prediction_heads.push_back(drawn.head(hidden, number.columns(), true));
  parts.num_actions = actions;
  parts.action_planes = action_planes;
  parts.action_size = hidden.points() * action_planes;
  parts.actions = drawn.numbers(static_cast<std::size_t>(actions) * parts.action_size, 1.0);
  BoardModel net(board, parts, identities, rng.below(2) == 0, number, kernel);

  const int rows = up_to(rng, 40);
  const auto size = static_cast<std::size_t>(rows), width = static_cast<std::size_t>(net.hidden_size()),
             wide = static_cast<std::size_t>(actions);
  const float* seen = drawn.numbers(size * net.observation_size(), 1.0);
  // One answer an array: hidden, policy, value of the root; hidden, reward, policy, value, identity, chance.
  using Answers = std::vector<Floats>;
  const auto ask = [&](int count, const float* observations, const std::int32_t* action) {
    const auto n = static_cast<std::size_t>(count);
    Answers a{Floats(n * width), Floats(n * wide), Floats(n), Floats(n * width),
              Floats(n),         Floats(n * wide), Floats(n), Floats(n * identities),
              Floats(n * wide)};
    net.root(count, observations, a[0].data(), a[1].data(), a[2].data());
    std::vector<float*> from, to;
    for (std::size_t i = 0; i < n; ++i) {
      from.push_back(a[0].data() + i * width);
      to.push_back(a[3].data() + i * width);
    }
    net.step({count, from.data(), action, to.data(), a[4].data(), a[5].data(), a[6].data(),
              identities ? a[7].data() : nullptr, identities ? a[8].data() : nullptr});
    return a;
  };
  std::vector<std::int32_t> action;
  for (int i = 0; i < rows; ++i) action.push_back(up_to(rng, actions) - 1);
  const Answers together = ask(rows, seen, action.data());
  for (int k = 0; k < 3; ++k) {
    const auto row = static_cast<std::size_t>(up_to(rng, rows) - 1);
    const Answers alone = ask(1, seen + row * net.observation_size(), action.data() + row);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      if (!alone[i].empty() && std::memcmp(alone[i].data(), together[i].data() + row * alone[i].size(),
                                           alone[i].size() * sizeof(float)) != 0) {
        fail("a board's answer depends on its batch");
      }
    }
  }
  return rows;
}

// An evaluator's mean over symmetric forms: each row alone has the outputs it has among the others.
void soak_symmetric(Rng& rng) {
  Drawn drawn(rng);
  const Planes board = draw_board(rng, 9);
  Planes planes = board;
  const int actions = up_to(rng, 90), rows = up_to(rng, 70);
  const std::vector<BlockSpec> blocks = drawn.tower(planes, 0, false);
  const Kernel& kernel = draw_kernel(rng);
  const std::vector<HeadSpec> heads{drawn.head(planes, actions), drawn.head(planes, 1, true)};
  BoardEvaluator net(board, blocks, heads, NumberHead({}, kernel), kernel);
  const auto shuffled = [&](int count) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (int i = count - 1; i > 0; --i) std::swap(order[i], order[up_to(rng, i + 1) - 1]);
    return order;
  };
  std::vector<BoardSymmetry> forms;
  for (int i = up_to(rng, 8); i > 0; --i) forms.push_back({shuffled(board.points()), shuffled(actions)});
  SymmetricEvaluator mean(net, forms);
  const auto wide = static_cast<std::size_t>(actions),
             seen = static_cast<std::size_t>(net.observation_size());
  const float* x = drawn.numbers(static_cast<std::size_t>(rows) * seen, 1.0);
  const std::vector<std::uint8_t> legal(static_cast<std::size_t>(rows) * wide, 1);
  Floats logits(legal.size()), values(static_cast<std::size_t>(rows)), one(wide), value(1);
  mean.evaluate(rows, x, legal.data(), logits.data(), values.data());
  const auto row = static_cast<std::size_t>(up_to(rng, rows) - 1);
  mean.evaluate(1, x + row * seen, legal.data() + row * wide, one.data(), value.data());
  if (std::memcmp(one.data(), logits.data() + row * wide, wide * sizeof(float)) != 0 ||
      value[0] != values[row]) {
    fail("the mean over symmetric forms depends on its batch");
  }
}

}  // namespace
}  // namespace dicezero

int main() {
  dicezero::Rng rng(5);
  dicezero::Met met;
  long positions = 0;
  for (int i = 0; i < 850; ++i) dicezero::soak_tower(rng, 1, 12, met);
  for (int i = 0; i < 130; ++i) dicezero::soak_tower(rng, 3, 19, met);
  for (int i = 0; i < 16; ++i) dicezero::soak_tower(rng, 20, 40, met);
  for (int i = 0; i < 4; ++i) dicezero::soak_tower(rng, 60, 96, met);
  for (const char* kind : {"convolution", "strided", "bottleneck", "broadcast", "pooling"}) {
    if (!met.kinds.contains(kind)) dicezero::fail("a kind of block was never drawn");
  }
  for (int side = 3; side <= 19; ++side) {
    if (!met.sides.contains(side)) dicezero::fail("a size of board was never drawn");
  }
  for (int i = 0; i < 60; ++i) dicezero::soak_symmetric(rng);
  for (int i = 0; i < 200; ++i) dicezero::soak_gradient(rng);
  for (int i = 0; i < 200; ++i) positions += dicezero::soak_model(rng);
  std::printf(
      "soak_board: 1000 towers like plain loops, gradients of 200 convolutions, %ld positions through 200 "
      "models\n",
      positions);
}

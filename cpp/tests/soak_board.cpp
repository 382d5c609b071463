// Random towers and board networks on every kernel of this machine, to be run under the sanitizers: they say
// what plain loops say, and a board's answer does not depend on its batch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "model/board_net.h"
#include "model/conv_gradient.h"
#include "plain_tower.h"
#include "rules/random.h"

namespace dicezero {
namespace {

using Floats = std::vector<float>;

int up_to(Rng& rng, int most) { return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(most))); }

[[noreturn]] void fail(const char* what) {
  std::printf("soak_board: %s\n", what);
  std::exit(1);
}

// Weights that stay where they are while specs point to them.
class Drawn {
 public:
  explicit Drawn(Rng& rng) : rng_(rng) {}

  const float* numbers(std::size_t count, double scale) {
    Floats& made = kept_.emplace_back(count);
    for (float& x : made) x = static_cast<float>(scale * (2.0 * rng_.uniform() - 1.0));
    return made.data();
  }
  WeightArray array(std::vector<int> shape) {
    std::size_t count = 1, inputs = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      count *= static_cast<std::size_t>(shape[i]);
      if (i + 1 < shape.size()) inputs *= static_cast<std::size_t>(shape[i]);
    }
    const float* data = numbers(count, 1.5 / std::sqrt(static_cast<double>(inputs)));
    return {std::move(shape), data};
  }
  LayerWeights dense(int inputs, int outputs) {
    return {inputs, outputs, 1, array({inputs, outputs}).data, array({outputs}).data};
  }
  HeadSpec head(const Planes& planes, int columns, bool number = false) {
    const int own = up_to(rng_, 5);
    HeadSpec spec{dense(planes.channels, own), {}, number};
    int inputs = own * planes.points();
    if (rng_.below(2)) {
      const int width = up_to(rng_, 40);
      spec.layers.push_back(dense(inputs, width));
      inputs = width;
    }
    spec.layers.push_back(dense(inputs, columns));
    return spec;
  }

  // Blocks that begin with `planes`, which becomes what they end with; the last has `channels` if that is
  // not 0.
  std::vector<BlockSpec> tower(Planes& planes, int channels, bool halving) {
    std::vector<BlockSpec> blocks;
    for (int halve = halving ? static_cast<int>(rng_.below(3)) : 0; halve > 0; --halve) {
      blocks.push_back({false, {convolution(planes, up_to(rng_, 40), 3, "strided")}});
    }
    blocks.push_back({false, {convolution(planes, channels ? channels : up_to(rng_, 70), 3)}});
    for (int count = static_cast<int>(rng_.below(4)); count > 0; --count) blocks.push_back(residual(planes));
    return blocks;
  }

 private:
  LayerSpec convolution(Planes& planes, int outputs, int side, const char* kind = "convolution") {
    LayerSpec spec{kind, {array({side, side, planes.channels, outputs}), array({outputs})}};
    if (spec.kind == "strided") planes = {(planes.height + 1) / 2, (planes.width + 1) / 2, outputs};
    planes.channels = outputs;
    return spec;
  }

  BlockSpec residual(Planes planes) {
    const int wide = planes.channels, narrow = up_to(rng_, 40), points = planes.points();
    switch (rng_.below(points <= 400 ? 4 : 3)) {
      case 0:
        return {true, {convolution(planes, wide, 3), convolution(planes, wide, 3)}};
      case 1:
        return {true,
                {convolution(planes, narrow, 1), convolution(planes, narrow, 3),
                 convolution(planes, narrow, 3), convolution(planes, wide, 1)}};
      case 2:
        return {true,
                {{"pooling",
                  {array({1, 1, wide, wide}), array({wide}), array({1, 1, wide, wide}), array({wide}),
                   array({2 * wide, wide}), array({wide}), array({1, 1, wide, wide}), array({wide})}}}};
      default:
        return {true,
                {convolution(planes, wide, 1),
                 {"broadcast", {array({points, points}), array({points})}},
                 convolution(planes, wide, 1)}};
    }
  }

  Rng& rng_;
  std::deque<Floats> kept_;
};

Planes draw_board(Rng& rng, int most) { return {up_to(rng, most), up_to(rng, most), up_to(rng, 20)}; }

const Kernel& draw_kernel(Rng& rng) {
  return kernels()[rng.below(static_cast<std::uint32_t>(kernels().size()))];
}

// A tower beside plain loops.
void soak_tower(Rng& rng, int most) {
  Drawn drawn(rng);
  const Planes before = draw_board(rng, most);
  Planes after = before;
  const std::vector<BlockSpec> blocks = drawn.tower(after, 0, most > 20);
  const Tower tower(before, blocks, draw_kernel(rng));
  const int boards = up_to(rng, 3);
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
        const double said = y[c], plain = wanted.at[static_cast<std::size_t>(i * after.channels + c)];
        if (!(std::abs(said - plain) <= 1e-5 * most_seen)) fail("a tower differs from plain loops");
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

// A learned model: each row alone says what it says among the others.
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

}  // namespace
}  // namespace dicezero

int main() {
  dicezero::Rng rng(5);
  long positions = 0;
  for (int i = 0; i < 780; ++i) dicezero::soak_tower(rng, 12);
  for (int i = 0; i < 20; ++i) dicezero::soak_tower(rng, 40);
  for (int i = 0; i < 200; ++i) dicezero::soak_gradient(rng);
  for (int i = 0; i < 200; ++i) positions += dicezero::soak_model(rng);
  std::printf(
      "soak_board: 800 towers like plain loops, gradients of 200 convolutions, %ld positions through 200 "
      "models\n",
      positions);
}

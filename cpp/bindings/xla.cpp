// Convolutions for training as functions that XLA's compiled programs call; dicezero.model.board_convolution
// registers them with JAX.
#include "bindings/xla.h"

#include <string>

#include "bindings/module.h"
#include "bindings/network.h"
#include "model/conv_gradient.h"
#include "model/crew.h"

namespace dicezero {
namespace {

bool has_floats(const xla::Buffers& buffers, std::int64_t count) {
  if (buffers.count != count) return false;
  for (std::int64_t i = 0; i < count; ++i) {
    if (buffers[i].type != xla::kFloat32) return false;
  }
  return true;
}

// x [boards, height, width, inputs] and weights [3, 3, inputs, outputs] come first in both functions.
struct Shapes {
  explicit Shapes(const xla::Buffers& arguments)
      : x(arguments[0]), weights(arguments[1]), fit(x.rank == 4 && weights.rank == 4) {
    fit = fit && weights.shape[0] == 3 && weights.shape[1] == 3 && weights.shape[2] == x.shape[3];
  }
  int boards() const { return static_cast<int>(x.shape[0]); }
  TrainedConvolution convolution() const {
    return {{static_cast<int>(x.shape[1]), static_cast<int>(x.shape[2]), static_cast<int>(x.shape[3])},
            static_cast<int>(weights.shape[3]),
            weights.floats(),
            kernels().front()};
  }
  const xla::Buffer &x, &weights;
  bool fit;
};

// x, weights, bias, skip (of no elements where there is none) -> y.
xla::Error* convolve(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  const xla::Buffers& in = call->arguments;
  if (call->stage != xla::kExecute || !has_floats(in, 4) || !has_floats(call->results, 1)) {
    return xla::fail(*call, "a convolution takes x, weights, bias and skip, all float32");
  }
  const Shapes shapes(in);
  if (!shapes.fit) return xla::fail(*call, "x and weights of a convolution do not fit together");
  const bool skips = in[3].rank == 4;
  return xla::guarded(*call, [&] {
    shapes.convolution().forward(shapes.boards(), shapes.x.floats(), in[2].floats(),
                                 skips ? in[3].floats() : nullptr, call->results[0].floats());
  });
}

// x, weights, y and its gradient -> the gradients of x, weights, bias, skip.
xla::Error* convolve_gradient(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  const xla::Buffers &in = call->arguments, &out = call->results;
  if (call->stage != xla::kExecute || !has_floats(in, 4) || !has_floats(out, 4)) {
    return xla::fail(*call, "a convolution's gradient takes x, weights, y and its gradient, all float32");
  }
  const Shapes shapes(in);
  if (!shapes.fit) return xla::fail(*call, "x and weights of a convolution do not fit together");
  return xla::guarded(*call, [&] {
    shapes.convolution().backward(shapes.boards(), shapes.x.floats(), in[2].floats(), in[3].floats(),
                                  out[0].floats(), out[1].floats(), out[2].floats(), out[3].floats());
  });
}

}  // namespace

void bind_xla(nb::module_& m) {
  m.def(
      "xla_targets",
      [] {
        nb::dict targets;
        targets["dicezero_convolve"] = xla::target(convolve);
        targets["dicezero_convolve_gradient"] = xla::target(convolve_gradient);
        add_dense_targets(targets);
        return targets;
      },
      "Functions for XLA's programs on a CPU, by name; JAX registers them.");
  m.def(
      "dense_panel", [] { return kernels().front().panel; },
      "Columns that a row of the dense functions' tape is rounded up to.");
  m.def(
      "set_training_threads",
      [](int threads) {
        if (threads < 1 || threads > 1024) {
          throw std::invalid_argument("threads=" + std::to_string(threads) +
                                      " is out of range; give 1..1024");
        }
        Crew::shared().set_threads(threads);
      },
      nb::arg("threads"), "Threads that share the shards of a training batch; no result depends on them.");
}

}  // namespace dicezero

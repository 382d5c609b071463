// The dense layers of training as functions that XLA's compiled programs call; dicezero.model.dense_kernels
// has their names and shapes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/xla.h"
#include "model/dense_gradient.h"
#include "model/model_gradient.h"

namespace dicezero {
namespace {

namespace nb = nanobind;

// (weights, bias) of `count` layers from input `first` on.
std::vector<TrainedPart::Layer> layers(const xla::Buffers& in, std::int64_t first, std::int64_t count) {
  std::vector<TrainedPart::Layer> found;
  for (std::int64_t i = first; i < first + 2 * count; i += 2) {
    const std::int64_t* shape = in[i].shape;
    found.push_back(
        {static_cast<int>(shape[0]), static_cast<int>(shape[1]), in[i].floats(), in[i + 1].floats()});
  }
  return found;
}

std::vector<TrainedPart::Gradient> gradients(const xla::Buffers& out, std::int64_t first,
                                             std::int64_t count) {
  std::vector<TrainedPart::Gradient> found;
  for (std::int64_t i = first; i < first + 2 * count; i += 2) {
    found.push_back({out[i].floats(), out[i + 1].floats()});
  }
  return found;
}

TrainedPart& thread_part() {
  thread_local TrainedPart part(kernels().front());
  return part;
}

ModelGradient& thread_model() {
  thread_local ModelGradient model(kernels().front());
  return model;
}

// (x, layers) -> the last layer's outputs, tape.
template <Activation kActivation>
xla::Error* part_forward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    TrainedPart& part = thread_part();
    part.load(layers(in, 1, (in.count - 1) / 2), kActivation, 0, true);
    const int rows = static_cast<int>(in[0].shape[0]);
    part.forward(rows, in[0].floats(), in[0].shape[1], nullptr, 0, rows, out[1].floats());
    const std::size_t last = part.size() - 1;
    copy_columns(rows, part.rows_of(out[1].floats(), last, 0, rows), part.stride(last), 0, part.outputs(),
                 out[0].floats());
  });
}

// (x, layers, tape, gradient of the last layer's outputs) -> gradients of the layers and, where there is one
// more output, of x.
template <Activation kActivation>
xla::Error* part_backward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  thread_local AlignedFloats sums, below;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    const std::int64_t count = (in.count - 3) / 2;
    const bool leaf = out.count == 2 * count;
    TrainedPart& part = thread_part();
    part.load(layers(in, 1, count), kActivation, 0, leaf);
    const int rows = static_cast<int>(in[0].shape[0]), columns = part.columns(0);
    const float* tape = in[in.count - 2].floats();
    reserve(sums, static_cast<std::size_t>(rows * part.row_floats()));
    if (!leaf) reserve(below, static_cast<std::size_t>(rows * part.padded(columns)));
    const std::size_t last = part.size() - 1;
    float* gradient = part.rows_of(sums.data(), last, 0, rows);
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      std::copy_n(in[in.count - 1].floats() + row * part.outputs(), part.outputs(),
                  gradient + row * part.stride(last));
    }
    part.backward(rows, 0, rows, tape, sums.data(), below.data());
    part.collect(rows, in[0].floats(), in[0].shape[1], nullptr, tape, sums.data(), gradients(out, 0, count));
    if (!leaf) copy_columns(rows, below.data(), part.padded(columns), 0, columns, out[2 * count].floats());
  });
}

// The inputs that the unroll's two functions begin with: observations [B, O], actions [B, K], settings [3]
// (stretch hidden states, what is skipped, halve the gradient into a hidden state), the layers of the three
// parts.
struct UnrollInputs {
  explicit UnrollInputs(const xla::Buffers& in, std::int64_t after, Activation activation)
      : layers_each((in.count - kFirst - after) / 6) {
    const auto* settings = static_cast<const std::int32_t*>(in[2].data);
    const auto representation = layers(in, kFirst, layers_each),
               dynamics = layers(in, kFirst + 2 * layers_each, layers_each),
               prediction = layers(in, kFirst + 4 * layers_each, layers_each);
    const int hidden = prediction.front().inputs;
    unroll = {static_cast<int>(in[1].shape[0]),
              static_cast<int>(in[1].shape[1]),
              static_cast<int>(in[0].shape[1]),
              dynamics.front().inputs - hidden,
              hidden,
              in[0].floats(),
              static_cast<const std::int32_t*>(in[1].data),
              settings[0] != 0,
              static_cast<Skip>(settings[1])};
    factor = settings[2] ? 0.5f : 1.0f;
    thread_model().load(representation, dynamics, prediction, activation, unroll);
  }

  static constexpr std::int64_t kFirst = 3;
  std::int64_t layers_each;
  Unroll unroll;
  float factor;
};

// (UnrollInputs) -> hidden [K + 1, B, H], told [K, B, ...], said [K + 1, B, ...], tape.
template <Activation kActivation>
xla::Error* unroll_forward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const UnrollInputs given(call->arguments, 0, kActivation);
    const xla::Buffers& out = call->results;
    thread_model().forward(given.unroll, out[0].floats(), out[1].floats(), out[2].floats(), out[3].floats());
  });
}

// (UnrollInputs, hidden, tape, gradients of hidden, told and said) -> gradients of the layers.
template <Activation kActivation>
xla::Error* unroll_backward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    const UnrollInputs given(in, 5, kActivation);
    const std::int64_t end = in.count, each = given.layers_each;
    thread_model().backward(given.unroll, in[end - 5].floats(), in[end - 4].floats(), in[end - 3].floats(),
                            in[end - 2].floats(), in[end - 1].floats(), given.factor, gradients(out, 0, each),
                            gradients(out, 2 * each, each), gradients(out, 4 * each, each));
  });
}

template <Activation kActivation>
void add(nb::dict& targets, const std::string& name) {
  targets[("dicezero_part_forward_" + name).c_str()] = xla::target(part_forward<kActivation>);
  targets[("dicezero_part_backward_" + name).c_str()] = xla::target(part_backward<kActivation>);
  targets[("dicezero_unroll_forward_" + name).c_str()] = xla::target(unroll_forward<kActivation>);
  targets[("dicezero_unroll_backward_" + name).c_str()] = xla::target(unroll_backward<kActivation>);
}

}  // namespace

void add_dense_targets(nb::dict& targets) {
  add<Activation::kIdentity>(targets, "identity");
  add<Activation::kRelu>(targets, "relu");
  add<Activation::kSelu>(targets, "selu");
  add<Activation::kTanh>(targets, "tanh");
}

}  // namespace dicezero

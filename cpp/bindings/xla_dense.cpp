// The dense layers of training as functions that XLA's compiled programs call; dicezero.model.dense_kernels
// has their names and shapes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/xla.h"
#include "model/gradient_shards.h"

namespace dicezero {
namespace {

namespace nb = nanobind;

// (weights, bias) of `count` layers from input `first` on.
std::vector<TrainedPart::Layer> layers(const xla::Buffers& in, std::int64_t first, std::int64_t count) {
  std::vector<TrainedPart::Layer> of_part;
  for (std::int64_t i = first; i < first + 2 * count; i += 2) {
    const std::int64_t* shape = in[i].shape;
    of_part.push_back(
        {static_cast<int>(shape[0]), static_cast<int>(shape[1]), in[i].floats(), in[i + 1].floats()});
  }
  return of_part;
}

std::vector<TrainedPart::Gradient> gradients(const xla::Buffers& out, std::int64_t first,
                                             std::int64_t count) {
  std::vector<TrainedPart::Gradient> of_part;
  for (std::int64_t i = first; i < first + 2 * count; i += 2) {
    of_part.push_back({out[i].floats(), out[i + 1].floats()});
  }
  return of_part;
}

PartShards& thread_part() {
  thread_local PartShards part(kernels().front());
  return part;
}

UnrollShards& thread_model() {
  thread_local UnrollShards model(kernels().front());
  return model;
}

// How many shards: the one number of an input, from 1 to the rows there are.
int shards(const xla::Buffer& given, int rows) {
  return std::clamp(*static_cast<const std::int32_t*>(given.data), 1, std::max(1, rows));
}

// (x, shards [1], layers) -> the last layer's outputs, tape.
template <Activation kActivation>
xla::Error* part_forward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    PartShards& shared = thread_part();
    shared.part.load(layers(in, 2, (in.count - 2) / 2), kActivation, 0, true, TrainedPart::Pass::kForward);
    const int rows = static_cast<int>(in[0].shape[0]);
    shared.forward(rows, shards(in[1], rows), in[0].floats(), in[0].shape[1], out[0].floats(),
                   out[1].floats());
  });
}

// (x, shards [1], layers, tape, gradient of the last layer's outputs) -> gradients of the layers and, where
// there is one more output, of x.
template <Activation kActivation>
xla::Error* part_backward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    const std::int64_t count = (in.count - 4) / 2;
    const bool leaf = out.count == 2 * count;
    PartShards& shared = thread_part();
    const auto all = layers(in, 2, count);
    shared.part.load(all, kActivation, 0, leaf, TrainedPart::Pass::kBackward);
    const int rows = static_cast<int>(in[0].shape[0]);
    shared.backward(rows, shards(in[1], rows), in[0].floats(), in[0].shape[1], in[in.count - 2].floats(),
                    in[in.count - 1].floats(), all, gradients(out, 0, count),
                    leaf ? nullptr : out[2 * count].floats());
  });
}

// The inputs that the unroll's two functions begin with: observations [B, O], actions [B, K], settings [4]
// (stretch hidden states, what is skipped, halve the gradient into a hidden state, shards), the layers of the
// three parts.
struct UnrollInputs {
  explicit UnrollInputs(const xla::Buffers& in, std::int64_t after, Activation activation,
                        TrainedPart::Pass pass)
      : each((in.count - kFirst - after) / 6), all(layers(in, kFirst, 3 * each)) {
    const auto* settings = static_cast<const std::int32_t*>(in[2].data);
    const auto part = [&](std::int64_t i) {
      return ModelParts::Layers(all.begin() + i * each, all.begin() + (i + 1) * each);
    };
    const auto dynamics = part(1), prediction = part(2);
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
    shards = std::clamp(settings[3], 1, std::max(1, unroll.rows));
    thread_model().parts.load(part(0), dynamics, prediction, activation, unroll.actions, pass);
  }

  static constexpr std::int64_t kFirst = 3;
  std::int64_t each;  // layers a part
  ModelParts::Layers all;
  Unroll unroll;
  float factor;
  int shards;
};

// (UnrollInputs) -> hidden [K + 1, B, H], dynamics [K, B, ...], prediction [K + 1, B, ...], tape.
template <Activation kActivation>
xla::Error* unroll_forward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const UnrollInputs given(call->arguments, 0, kActivation, TrainedPart::Pass::kForward);
    const xla::Buffers& out = call->results;
    thread_model().forward(given.unroll, given.shards, out[0].floats(), out[1].floats(), out[2].floats(),
                           out[3].floats());
  });
}

// (UnrollInputs, hidden, tape, gradients of hidden, dynamics and prediction) -> gradients of the layers.
template <Activation kActivation>
xla::Error* unroll_backward(xla::Call* call) {
  if (xla::answers_metadata(*call)) return nullptr;
  return xla::guarded(*call, [&] {
    const xla::Buffers &in = call->arguments, &out = call->results;
    const UnrollInputs given(in, 5, kActivation, TrainedPart::Pass::kBackward);
    const std::int64_t end = in.count;
    thread_model().backward(given.unroll, given.shards, in[end - 5].floats(), in[end - 4].floats(),
                            in[end - 3].floats(), in[end - 2].floats(), in[end - 1].floats(), given.factor,
                            given.all, gradients(out, 0, 3 * given.each),
                            static_cast<std::size_t>(given.each));
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

// What all networks' bindings share: arrays in and out, and batches evaluated without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/dense.h"
#include "search/simulator.h"

namespace dicezero {

namespace nb = nanobind;

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<nb::numpy, float>;
using StepArrays = std::tuple<Floats, Floats, Floats, Floats, std::optional<Floats>, std::optional<Floats>>;

inline const Kernel& find_kernel(const std::string& name) {
  std::string known;
  for (const Kernel& k : kernels()) {
    if (name.empty() || name == k.name) return k;
    known += (known.empty() ? "'" : ", '") + std::string(k.name) + "'";
  }
  throw std::invalid_argument("kernel '" + name + "' is unknown here; give one of " + known);
}

inline Activation find_activation(const std::string& name) {
  if (name == "identity") return Activation::kIdentity;
  if (name == "relu") return Activation::kRelu;
  if (name == "selu") return Activation::kSelu;
  if (name == "tanh") return Activation::kTanh;
  throw std::invalid_argument("activation '" + name +
                              "' is unknown; give one of 'identity', 'relu', 'selu', 'tanh'");
}

inline void check_columns(const char* name, std::size_t columns, int expected) {
  if (columns != static_cast<std::size_t>(expected)) {
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(columns) +
                                " columns; the network takes " + std::to_string(expected));
  }
}

inline void check_rows(const char* name, std::size_t rows, std::size_t expected) {
  if (rows != expected) {
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(rows) + " rows; expected " +
                                std::to_string(expected));
  }
}

// A new array that owns its floats.
inline Floats new_floats(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  auto* data = new float[size];
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Floats(data, shape, owner);
}

template <class Net>
std::tuple<Floats, Floats, Floats> root(const Net& net, const Matrix& observations) {
  check_columns("observations", observations.shape(1), net.observation_size());
  const std::size_t size = observations.shape(0), actions = net.num_actions();
  Floats hidden = new_floats({size, static_cast<std::size_t>(net.hidden_size())});
  Floats policy_logits = new_floats({size, actions}), value = new_floats({size});
  {
    nb::gil_scoped_release release;
    net.root(static_cast<int>(size), observations.data(), hidden.data(), policy_logits.data(), value.data());
  }
  return {hidden, policy_logits, value};
}

template <class Net>
StepArrays step(const Net& net, const Matrix& hidden, const Indices& action) {
  check_columns("hidden", hidden.shape(1), net.hidden_size());
  check_rows("action", action.shape(0), hidden.shape(0));
  for (std::size_t i = 0; i < action.shape(0); ++i) {
    if (action.data()[i] < 0 || action.data()[i] >= net.num_actions()) {
      throw std::invalid_argument("action " + std::to_string(action.data()[i]) +
                                  " is out of range; give 0.." + std::to_string(net.num_actions() - 1));
    }
  }
  const std::size_t size = hidden.shape(0), width = hidden.shape(1), actions = net.num_actions(),
                    identities = net.num_identities();
  Floats next = new_floats({size, width}), reward = new_floats({size}),
         policy_logits = new_floats({size, actions}), value = new_floats({size}),
         identity_logits = new_floats({size, identities}),
         chance_logits = new_floats({size, identities ? actions : 0});
  {
    nb::gil_scoped_release release;
    std::vector<float*> from(size), to(size);
    for (std::size_t i = 0; i < size; ++i) {
      from[i] = const_cast<float*>(hidden.data()) + i * width;  // the plain step only reads it
      to[i] = next.data() + i * width;
    }
    net.step_plainly({static_cast<int>(size), from.data(), action.data(), to.data(), reward.data(),
                      policy_logits.data(), value.data(), identity_logits.data(), chance_logits.data()});
  }
  if (!identities) return {next, reward, policy_logits, value, std::nullopt, std::nullopt};
  return {next, reward, policy_logits, value, identity_logits, chance_logits};
}

template <class Net>
std::pair<Floats, Floats> evaluate(Net& net, const Matrix& observations, const Mask& legal) {
  check_columns("observations", observations.shape(1), net.observation_size());
  check_columns("legal", legal.shape(1), net.num_actions());
  check_rows("legal", legal.shape(0), observations.shape(0));
  const std::size_t size = observations.shape(0);
  Floats policy_logits = new_floats({size, static_cast<std::size_t>(net.num_actions())});
  Floats value = new_floats({size});
  {
    nb::gil_scoped_release release;
    net.evaluate(static_cast<int>(size), observations.data(),
                 reinterpret_cast<const std::uint8_t*>(legal.data()), policy_logits.data(), value.data());
  }
  return {policy_logits, value};
}

}  // namespace dicezero

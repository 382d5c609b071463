// Networks written in Python, as the planner sees them, and trees as Python sees them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

#include "search/forest.h"

namespace dicezero {

namespace nb = nanobind;

template <class T, int N>
using Array = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

// The native model behind `model`, or an adapter (kept in `adapter`) around a Python callable
// (hidden [M,H], action [M]) -> (hidden, reward, policy_logits, value, identity_logits | None, chance_logits
// | None).
Simulator& find_simulator(nb::handle model, int hidden_size, int num_actions, int num_identities,
                          std::unique_ptr<Simulator>& adapter);

// Likewise for (observations [M,O], legal [M,A]) -> (policy_logits, value).
Evaluator& find_evaluator(nb::handle network, const std::vector<int>& observation_shape, int num_actions,
                          std::unique_ptr<Evaluator>& adapter);

nb::tuple describe_node(const Forest& forest, std::size_t row, Index node);

}  // namespace dicezero

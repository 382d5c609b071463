// A policy as Python hands it over.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "solve/policy.h"

namespace dicezero {

namespace nb = nanobind;

// Either "uniform", [M] int16 actions, or [M, A] float32 or float64 probabilities.
class PolicyArgument {
 public:
  PolicyArgument(nb::handle policy, std::uint64_t decisions, int num_actions) {
    if (nb::isinstance<nb::str>(policy) && nb::cast<std::string>(policy) == "uniform") {
      view_.emplace(PolicyView::Uniform{}, num_actions);
    } else if (!(take<std::int16_t>(policy, decisions, num_actions) ||
                 take<float>(policy, decisions * static_cast<std::uint64_t>(num_actions), num_actions) ||
                 take<double>(policy, decisions * static_cast<std::uint64_t>(num_actions), num_actions))) {
      throw std::invalid_argument("policy: give \"uniform\", int16 actions [" + std::to_string(decisions) +
                                  "] or float probabilities [" + std::to_string(decisions) + ", " +
                                  std::to_string(num_actions) + "]");
    }
  }

  const PolicyView* view() const { return &*view_; }

 private:
  template <class T>
  bool take(nb::handle policy, std::uint64_t size, int num_actions) {
    nb::ndarray<const T, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(policy, array, false) || array.size() != size) return false;
    view_.emplace(PolicyView::Data(std::span<const T>(array.data(), array.size())), num_actions);
    kept_ = nb::borrow<nb::object>(policy);
    return true;
  }

  nb::object kept_;
  std::optional<PolicyView> view_;
};

}  // namespace dicezero

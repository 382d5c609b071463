// A head of one number: a column, or logits over the points of a support, which lie in the space of
// MuZero's value transform h(x) = sign(x) (sqrt(|x| + 1) - 1) + 0.001 x. Logits stand for the inverse of h
// at their expectation. dicezero/model/support.py has the formulas and makes the points.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/dense.h"

namespace dicezero {

// |x| = t (t + 2), where t = sqrt(|x| + 1) - 1 solves 0.001 t^2 + 1.002 t = |y|: no digits cancel near 0.
inline double untransform(double y) {
  constexpr double kSlope = 0.001, kLinear = 1.0 + 2.0 * kSlope;
  const double size = std::abs(y);
  const double t = 2.0 * size / (kLinear + std::sqrt(kLinear * kLinear + 4.0 * kSlope * size));
  return std::copysign(t * (t + 2.0), y);
}

class NumberHead {
 public:
  // No points: a column.
  NumberHead(std::vector<float> points, const Kernel& kernel)
      : kernel_(kernel),
        points_(std::move(points)),
        columns_(std::max<int>(1, static_cast<int>(points_.size()))) {
    if (points_.size() == 1) throw std::invalid_argument("support has 1 point; give two or more, or none");
    if (points_.size() > kMost) {
      throw std::invalid_argument("support has " + std::to_string(points_.size()) + " points; give at most " +
                                  std::to_string(kMost));
    }
    points_.resize((points_.size() + kLanes - 1) / kLanes * kLanes);
  }

  int columns() const { return columns_; }

  // The numbers that columns [first, first + columns()) of a padded matrix stand for.
  void read(int rows, const float* from, std::ptrdiff_t stride, int first, float* to) const {
    for (int i = 0; i < rows; ++i) {
      const float* row = from + i * stride + first;
      to[i] = points_.empty() ? *row : decode(row);
    }
  }

 private:
  static constexpr std::size_t kMost = 1024, kLanes = 16;  // sums that run side by side, on any machine

  float decode(const float* logits) const {
    alignas(64) std::array<float, kMost> weights;
    const std::size_t padded = points_.size();
    const float highest = *std::max_element(logits, logits + columns_);
    for (int i = 0; i < columns_; ++i) weights[i] = logits[i] - highest;
    for (std::size_t i = columns_; i < padded; ++i) weights[i] = 0.0f;  // its point is 0; taken off below
    kernel_.exp_negative(static_cast<int>(padded), weights.data());
    std::array<double, kLanes> total{}, moment{};
    for (std::size_t i = 0; i < padded; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        total[lane] += weights[i + lane];
        moment[lane] += static_cast<double>(weights[i + lane]) * points_[i + lane];
      }
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
      for (std::size_t lane = 0; lane < half; ++lane) {
        total[lane] += total[lane + half];
        moment[lane] += moment[lane + half];
      }
    }
    return static_cast<float>(untransform(moment[0] / (total[0] - static_cast<double>(padded - columns_))));
  }

  Kernel kernel_;
  std::vector<float> points_;  // padded with zeros to whole lanes
  int columns_;
};

}  // namespace dicezero

// Vectors handed to NumPy without a copy, and the casters of the standard library's types: a unit that
// forgets one compiles, and fails when it is called.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

namespace dicezero {

namespace nb = nanobind;

template <class T, int N>
using Array = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Matrix2 = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> data, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(data));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

template <class T>
Column<T> column(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Column<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
Matrix2<T> table_of_rows(std::vector<T> values, std::size_t rows, std::size_t columns) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Matrix2<T>(kept->data(), {rows, columns}, owner);
}

}  // namespace dicezero

// N-tuple networks; dicezero.model.ntuple is their public face.
#include "bindings/tuples.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <numeric>

#include "bindings/network.h"
#include "rules/memory.h"

namespace dicezero {
namespace {

using Bytes = Array<std::uint8_t, 1>;

void check_values(std::size_t count, std::size_t expected) {
  if (count != expected) {
    throw std::invalid_argument("there are " + std::to_string(count) + " values for " +
                                std::to_string(expected) + " entries that were touched");
  }
}

void check_board(const CellBoard& board, const std::vector<std::vector<int>>& symmetries) {
  constexpr int kMostCells = 16, kMostValues = 256;  // four bits a cell, of 64; a plane for each value
  const int cells = static_cast<int>(board.places.size());
  const bool sized = board.rows >= 1 && board.columns >= 1 && board.rows <= kMostCells &&
                     board.columns <= kMostCells && board.rows * board.columns == cells;
  if (!sized || cells > kMostCells || board.values < 2 || board.values > kMostValues) {
    throw std::invalid_argument(
        "rows, columns, values and places are no board of up to 16 cells and 256 values");
  }
  int last = -1;
  for (const int place : board.places) {
    if (place <= last || place >= kMostCells) throw std::invalid_argument("places do not rise within 0..15");
    last = place;
  }
  if (symmetries.empty()) throw std::invalid_argument("symmetries is empty; give one or more");
  std::vector<int> all(board.places.size());
  std::iota(all.begin(), all.end(), 0);
  for (const std::vector<int>& symmetry : symmetries) {
    if (!std::is_permutation(symmetry.begin(), symmetry.end(), all.begin(), all.end()))
      throw std::invalid_argument("a symmetry does not name each of the board's cells once");
  }
}

void check_coherent(const PyTuples& self) {
  if (self.coherence.size() == 0) throw std::invalid_argument("the tables were not made with coherent=True");
}

// Number of entries whose bit is set; the bits are checked to be those of this network.
std::size_t touched_entries(const PyTuples& self, const Bytes& touched) {
  const std::size_t entries = self.net.index().entries();
  if (touched.shape(0) != (entries + 7) / 8) {
    throw std::invalid_argument("touched has " + std::to_string(touched.shape(0)) +
                                " bytes; the tables need " + std::to_string((entries + 7) / 8));
  }
  if (entries % 8 != 0 && touched.data()[entries / 8] >> entries % 8 != 0) {
    throw std::invalid_argument("touched names entries beyond the tables' " + std::to_string(entries));
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < touched.shape(0); ++i) count += std::popcount(touched.data()[i]);
  return count;
}

template <class F>
void for_each_touched(const Bytes& touched, F&& f) {
  for (std::size_t byte = 0; byte < touched.shape(0); ++byte) {
    for (unsigned bits = touched.data()[byte]; bits != 0; bits &= bits - 1)
      f(8 * byte + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

// Bits of the entries that differ from what they began with, or whose learning remembers something.
Column<std::uint8_t> touched(const PyTuples& self, float first) {
  const std::size_t entries = self.net.index().entries();
  std::vector<std::uint8_t> bits((entries + 7) / 8, 0);
  const bool remembers = self.coherence.size() > 0;
  for (std::size_t i = 0; i < entries; ++i) {
    const bool set = self.net.weights()[i] != first || (remembers && self.coherence[i].absolute > 0.0f);
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | static_cast<unsigned>(set) << i % 8);
  }
  return column(std::move(bits));
}

Column<float> weights(const PyTuples& self, const Bytes& bits) {
  std::vector<float> values;
  values.reserve(touched_entries(self, bits));
  for_each_touched(bits, [&](std::size_t i) { values.push_back(self.net.weights()[i]); });
  return column(std::move(values));
}

void set_weights(PyTuples& self, const Bytes& bits, const Array<float, 1>& values) {
  const Busy::Turn turn(self.busy, "network");
  check_values(values.shape(0), touched_entries(self, bits));
  const float* next = values.data();
  for_each_touched(bits, [&](std::size_t i) { self.net.weights()[i] = *next++; });
}

Matrix2<float> coherence(const PyTuples& self, const Bytes& bits) {
  check_coherent(self);
  std::vector<float> sums;
  const std::size_t count = touched_entries(self, bits);
  sums.reserve(2 * count);
  for_each_touched(bits, [&](std::size_t i) {
    sums.push_back(self.coherence[i].sum);
    sums.push_back(self.coherence[i].absolute);
  });
  return table_of_rows(std::move(sums), count, 2);
}

void set_coherence(PyTuples& self, const Bytes& bits, const Array<float, 2>& values) {
  const Busy::Turn turn(self.busy, "network");
  check_coherent(self);
  check_values(values.shape(0), touched_entries(self, bits));
  check_columns("coherence", values.shape(1), 2);
  const float* next = values.data();
  for_each_touched(bits, [&](std::size_t i) {
    self.coherence[i].sum = *next++;
    self.coherence[i].absolute = *next++;
  });
}

// Values of observations whose first planes are the cells' values, one-hot.
Floats values(const PyTuples& self, const Matrix& observations) {
  const std::size_t cells = self.board.places.size(), planes = static_cast<std::size_t>(self.board.values);
  if (observations.shape(1) < cells * planes) {
    check_columns("observations", observations.shape(1), static_cast<int>(cells * planes));
  }
  Floats value = new_floats({observations.shape(0)});
  const nb::gil_scoped_release released;
  std::vector<std::uint64_t> shown(cells), words(self.symmetries.size());
  std::vector<TupleIndex::Entry> entries(static_cast<std::size_t>(self.net.index().reads()));
  for (std::size_t row = 0; row < observations.shape(0); ++row) {
    const float* seen = observations.data() + row * observations.shape(1);
    std::fill(shown.begin(), shown.end(), 0);
    for (std::size_t plane = 1; plane < planes; ++plane) {
      for (std::size_t cell = 0; cell < cells; ++cell) {
        if (seen[plane * cells + cell] > 0.5f) shown[cell] = std::min<std::size_t>(plane, 15);
      }
    }
    for (std::size_t view = 0; view < words.size(); ++view) {
      words[view] = 0;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        words[view] |= shown[static_cast<std::size_t>(self.symmetries[view][cell])]
                       << 4 * self.board.places[cell];
      }
    }
    self.net.index().find(words.data(), entries.data());
    value.data()[row] = self.net.value(entries.data());
  }
  return value;
}

}  // namespace

void bind_tuples(nb::module_& m) {
  nb::class_<PyTuples>(m, "Tuples", "The tables of an n-tuple network, and what their learning remembers.")
      .def(
          "__init__",
          [](PyTuples* self, int rows, int columns, int values, const std::vector<int>& places,
             const std::vector<std::vector<int>>& symmetries, const std::vector<std::vector<int>>& tuples,
             float weight, bool coherent) {
            const CellBoard board{rows, columns, values, places};
            check_board(board, symmetries);
            TupleIndex index(board, tuples, static_cast<int>(symmetries.size()));
            const std::size_t entries = coherent ? index.entries() : 0;
            memory::claim(static_cast<double>(index.entries() * sizeof(float) + entries * sizeof(Coherence)),
                          "a network of " + std::to_string(index.entries()) + " entries",
                          "give fewer or shorter tuples");
            new (self) PyTuples{TupleNet(std::move(index), weight),
                                HugeArray<Coherence>(entries, Coherence{}),
                                symmetries,
                                board,
                                {}};
          },
          nb::kw_only(), nb::arg("rows"), nb::arg("columns"), nb::arg("values"), nb::arg("places"),
          nb::arg("symmetries"), nb::arg("tuples"), nb::arg("weight"), nb::arg("coherent"))
      .def_prop_ro("entries", [](const PyTuples& self) { return self.net.index().entries(); })
      .def_prop_ro("reads", [](const PyTuples& self) { return self.net.index().reads(); })
      .def("touched", &touched, nb::arg("first"), "Bits of the entries that learning has reached.")
      .def("weights", &weights, nb::arg("touched"))
      .def("set_weights", &set_weights, nb::arg("touched"), nb::arg("weights"))
      .def("coherence", &coherence, nb::arg("touched"))
      .def("set_coherence", &set_coherence, nb::arg("touched"), nb::arg("coherence"))
      .def("values", &values, nb::arg("observations"));
}

}  // namespace dicezero

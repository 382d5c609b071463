// Networks written in Python, as the planner sees them, and trees as Python sees them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/ops.h"
#include "search/forest.h"
#include "search/reuse.h"

namespace dicezero {

namespace nb = nanobind;

// The native model behind `model`, or an adapter (kept in `adapter`) around a Python callable
// (hidden [M,H], action [M]) -> (hidden, reward, policy_logits, value, identity_logits | None, chance_logits
// | None).
Simulator& find_simulator(nb::handle model, int hidden_size, int num_actions, int num_identities,
                          std::unique_ptr<Simulator>& adapter);

// Likewise for (observations [M,O], legal [M,A]) -> (policy_logits, value).
Evaluator& find_evaluator(nb::handle network, const std::vector<int>& observation_shape, int num_actions,
                          std::unique_ptr<Evaluator>& adapter);

inline void check_rows_of(const char* name, std::size_t count, std::size_t rows) {
  if (count == rows) return;
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(count) + " rows where there are " +
                              std::to_string(rows) + " searches");
}

inline void check_columns_of(const char* name, std::size_t count, int columns) {
  if (count == static_cast<std::size_t>(columns)) return;
  throw std::invalid_argument(std::string(name) + " has " + std::to_string(count) +
                              " columns where the network has " + std::to_string(columns));
}

inline void check_gumbel_and_paths(const std::optional<Array<double, 2>>& gumbel, int num_actions,
                                   const Forest* previous, const Paths& paths, std::size_t rows) {
  if (gumbel) {
    check_rows_of("gumbel", gumbel->shape(0), rows);
    check_columns_of("gumbel", gumbel->shape(1), num_actions);
  }
  if (previous != nullptr) check_rows_of("paths", paths.size(), rows);
}

nb::dict plan_dict(Findings found, std::unique_ptr<Forest> forest, int num_actions, std::int64_t nanoseconds);

std::span<const double> gumbel_row(const std::optional<Array<double, 2>>& gumbel, std::size_t row);

template <World W>
bool adopt_row(Search<W>& search, const Forest* previous, const Paths& paths, std::size_t row) {
  const auto* old = dynamic_cast<const ForestOf<W>*>(previous);
  if (old == nullptr || row >= old->size() || paths[row].empty()) return false;
  std::vector<Happened> path;
  for (const auto& [actor, action] : paths[row]) path.push_back({actor, action});
  const Search<W>& source = old->search(row);
  return adopt_subtree(search, source, find_node(source.tree(), path));
}

nb::tuple describe_node(const Forest& forest, std::size_t row, Index node);

}  // namespace dicezero

// The finished searches of a batch: what they found, and their trees to look at.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "search/batch.h"

namespace dicezero {

class Forest {
 public:
  virtual ~Forest() = default;
  virtual std::size_t size() const = 0;
  virtual const Tree& tree(std::size_t row) const = 0;
  virtual int evaluations(std::size_t row) const = 0;
  virtual std::size_t bytes() const = 0;
  // Has every edge taken brought a value back? Not under the paper's budget.
  virtual bool every_visit_counts(std::size_t row) const = 0;
  // The root's actions at the end of each phase of Sequential Halving; none under other rules.
  virtual std::span<const Sighting> halving(std::size_t row) const = 0;
  // Whether Python alone holds it.
  bool owned_by_python = false;
  // The text of an edge, as the game writes it.
  virtual std::string label(std::size_t row, Index node, const Edge& edge) const = 0;
};

template <World W>
class ForestOf : public Forest {
 public:
  explicit ForestOf(std::vector<Search<W>> searches) : searches_(std::move(searches)) {}

  std::span<Search<W>> searches() { return searches_; }
  const Search<W>& search(std::size_t row) const { return searches_[row]; }
  std::size_t size() const override { return searches_.size(); }
  const Tree& tree(std::size_t row) const override { return searches_[row].tree(); }
  int evaluations(std::size_t row) const override { return searches_[row].evaluations(); }
  bool every_visit_counts(std::size_t row) const override { return !searches_[row].config().paper_budget; }
  std::span<const Sighting> halving(std::size_t row) const override {
    return searches_[row].root_rule().seen();
  }
  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const auto& search : searches_) sum += search.tree().bytes() + search.world().bytes();
    return sum;
  }
  std::string label(std::size_t row, Index node, const Edge& edge) const override {
    if constexpr (requires { searches_[row].world().game(); }) {
      const auto& world = searches_[row].world();
      return world.game().action_string(world.state(searches_[row].tree(), node), edge.action);
    } else {
      if (searches_[row].tree().node(node).kind != NodeKind::identity) return std::to_string(edge.action);
      const int from_end = searches_[row].tree().node(node).num_edges - edge.action;
      return from_end == 1 ? "end" : from_end == 2 ? "chance" : edge.action == 0 ? "mover" : "other";
    }
  }

 private:
  std::vector<Search<W>> searches_;
};

// A batch of searches' results at their roots, row-major with A entries a row.
struct Findings {
  std::vector<std::int32_t> action;
  std::vector<std::int32_t> visits;
  std::vector<float> q;
  std::vector<float> policy;
  std::vector<float> value;
  std::vector<std::int32_t> evaluations;
};

template <World W>
Findings findings(std::span<Search<W>> searches, int num_actions) {
  const std::size_t rows = searches.size();
  const auto a = static_cast<std::size_t>(num_actions);
  Findings found{std::vector<std::int32_t>(rows),   std::vector<std::int32_t>(rows * a),
                 std::vector<float>(rows * a, NAN), std::vector<float>(rows * a),
                 std::vector<float>(rows),          std::vector<std::int32_t>(rows)};
  std::vector<float> policy;
  for (std::size_t row = 0; row < rows; ++row) {
    Search<W>& search = searches[row];
    const Tree& tree = search.tree();
    const std::span<const Edge> edges = tree.edges(Tree::kRoot);
    if (search.root_rule().halves()) search.root_rule().note(tree, search.selector());
    const int chosen = search.root_rule().final_choice(tree, search.selector(), search.rng());
    found.action[row] = edges[chosen].action;
    search.root_rule().target(tree, search.selector(), policy);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::size_t at = row * a + static_cast<std::size_t>(edges[i].action);
      found.visits[at] = edges[i].visits;
      if (edges[i].visits > 0) found.q[at] = static_cast<float>(edges[i].q());
      found.policy[at] = policy[i];
    }
    found.value[row] = static_cast<float>(tree.node(Tree::kRoot).value());
    found.evaluations[row] = search.evaluations();
  }
  return found;
}

}  // namespace dicezero

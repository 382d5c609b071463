// A Monte Carlo searcher as Python holds it, whatever the game.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bindings/busy.h"
#include "search/forest.h"
#include "search/uct.h"

namespace dicezero {

namespace nb = nanobind;

PlanConfig uct_plan_config(nb::handle config, double low, double high, bool flat);
UctOptions uct_options(nb::handle config, double low, double high);

class UctSearcher {
 public:
  virtual ~UctSearcher() = default;

  // Python's garbage collector asks what an object refers to, and has it let go.
  virtual int traverse(visitproc visit, void* arg) const = 0;
  virtual void let_go() = 0;

  virtual nb::dict search(nb::handle state, nb::handle config, std::uint64_t seed, double low, double high,
                          nb::object evaluate, nb::object choose, bool flat) = 0;
  virtual bool advance(const std::vector<Action>& actions) = 0;
  virtual std::shared_ptr<Forest> forest() const = 0;

  // One search at a time; what it is working on is not to be looked at.
  Busy& busy() { return busy_; }

  // Outcomes of chance nodes that were visited: NMCTS's inner nodes.
  std::size_t inner_nodes() const {
    const std::shared_ptr<Forest> kept = forest();
    std::size_t count = 0;
    for (std::size_t row = 0; kept != nullptr && row < kept->size(); ++row) {
      const Tree& tree = kept->tree(row);
      for (Index i = 0; i < static_cast<Index>(tree.size()); ++i) {
        if (tree.node(i).kind != NodeKind::chance) continue;
        for (const Edge& e : tree.edges(i)) count += e.visits > 0;
      }
    }
    return count;
  }

 private:
  Busy busy_;
};

// What a forest over a game in Python refers to.
int traverse_forest(const Forest& forest, visitproc visit, void* arg);

}  // namespace dicezero

// The tree of every search: an arena of nodes, each with a run of edges. Statistics live on the edges, so
// that choosing among them reads one stretch of memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rules/game.h"
#include "search/pool.h"

namespace dicezero {

using Index = std::int32_t;
inline constexpr Index kNone = -1;

enum class NodeKind : std::uint8_t { choice, chance, identity, terminal };

struct Edge {
  Index child = kNone;
  Action action = kNoAction;
  std::int32_t visits = 0;
  float prior = 0.0f;      // P of an action, probability of an outcome or of an identity
  float logit = 0.0f;      // of P; of an outcome what its first visit brought, for the root's player
  float reward = 0.0f;     // for the player of the nearest choice node at or above
  double value_sum = 0.0;  // choice: for the player who moves there; chance: for the root's player

  double q() const { return value_sum / visits; }
};

struct Node {
  NodeKind kind = NodeKind::choice;
  std::int8_t player = 0;  // who moves; at a terminal node whose value `raw` is
  bool opened = false;     // chance: all outcomes were evaluated at once (expectation)
  bool exact = false;      // choice: `raw` is proved by the tree below (proof.h)
  Index first_edge = 0;
  std::int32_t num_edges = 0;
  Index payload = kNone;    // what the world keeps for it: hidden state or game state
  std::int32_t visits = 0;  // choice: its own evaluation and all that came back through it
  float raw = 0.0f;         // its own evaluation, for `player`
  double value_sum = 0.0;   // choice: of the same visits, for `player`

  double value() const { return exact ? raw : value_sum / visits; }
};

// Where the next descent goes on from a node, where that is known beforehand.
struct Lead {
  Index child = kNone;  // kNone: it has to look
  std::int32_t edge = 0;
};

class Tree {
 public:
  static constexpr Index kRoot = 0;

  void reserve(std::size_t nodes, std::size_t edges) {
    nodes_.reserve(nodes);
    edges_.reserve(edges);
  }

  Index add_node(NodeKind kind, int player, Index payload) {
    Node& node = nodes_.emplace_back();  // in place: a copy would wait for its fields to be stored
    node.kind = kind;
    node.player = static_cast<std::int8_t>(player);
    node.payload = payload;
    return static_cast<Index>(nodes_.size() - 1);
  }

  // Gives the newest-made run of edges to a node that has none.
  std::span<Edge> add_edges(Index node, int count) {
    nodes_[node].first_edge = static_cast<Index>(edges_.size());
    nodes_[node].num_edges = count;
    edges_.resize(edges_.size() + static_cast<std::size_t>(count));
    return edges(node);
  }

  // One edge more for a node whose edges come one by one; the caller sets its action. A run without a spare
  // slot (action kNoAction) behind it moves to the end and gets as many as it has.
  Edge& append_edge(Index node) {
    Node& n = nodes_[node];
    const auto count = static_cast<std::size_t>(n.num_edges);
    const auto first = static_cast<std::size_t>(n.first_edge);
    if (count == 0 || first + count >= edges_.size() || edges_[first + count].action != kNoAction) {
      n.first_edge = static_cast<Index>(edges_.size());
      edges_.resize(edges_.size() + std::max<std::size_t>(1, 2 * count));
      std::copy_n(edges_.data() + first, count, edges_.data() + n.first_edge);
    }
    n.num_edges += 1;
    return edges(node).back();
  }

  Node& node(Index i) { return nodes_[i]; }
  const Node& node(Index i) const { return nodes_[i]; }
  std::span<Edge> edges(Index i) {
    return {edges_.data() + nodes_[i].first_edge, static_cast<std::size_t>(nodes_[i].num_edges)};
  }
  std::span<const Edge> edges(Index i) const {
    return {edges_.data() + nodes_[i].first_edge, static_cast<std::size_t>(nodes_[i].num_edges)};
  }

  // All of them; for loops that must not look up where they begin at every step.
  std::span<Node> nodes() { return nodes_; }
  std::span<Edge> all_edges() { return edges_; }

  // Leads stand apart from the nodes, so that following them reads little memory; nodes after the last have
  // none.
  std::span<const Lead> leads() const { return leads_; }
  void set_lead(Index i, std::span<const Edge> edges, int edge) {
    if (static_cast<std::size_t>(i) >= leads_.size()) leads_.resize(nodes_.size());
    Lead& lead = leads_[i];
    lead.child = edges[edge].child;
    lead.edge = edge;
  }

  int root_player() const { return nodes_[kRoot].player; }
  // +1 if that player is the root's, -1 if it is the other.
  double sign(int player) const { return player == root_player() ? 1.0 : -1.0; }

  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const {
    return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) +
           leads_.capacity() * sizeof(Lead);
  }

  void clear() {
    nodes_.clear();
    edges_.clear();
    leads_.clear();
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
  }

  // Least and greatest Q of any choice edge so far (MuZero's normalisation).
  void note_q(double q) {
    low_ = q < low_ ? q : low_;
    high_ = q > high_ ? q : high_;
  }
  // How far apart they are; 1 while that is nothing.
  double q_span() const { return high_ > low_ ? high_ - low_ : 1.0; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::vector<Node, PoolAllocator<Node>> nodes_;
  std::vector<Edge, PoolAllocator<Edge>> edges_;
  std::vector<Lead, PoolAllocator<Lead>> leads_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace dicezero

#include <algorithm>

#include "bindings/plan.h"

namespace dicezero {
namespace {

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<2>> new_array(std::size_t rows, std::size_t columns, T*& data) {
  data = new T[rows * columns]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner);
}

using FloatArray = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

// The Python side names what is wrong (dicezero.search.simulator); here nothing is read past its end.
FloatArray checked_array(nb::handle array, std::size_t count) {
  FloatArray values;
  if (!nb::try_cast(array, values, false) || values.size() != count) {
    throw std::invalid_argument("the network's answer is not a float32 array of " + std::to_string(count) +
                                " numbers");
  }
  return values;
}

void copy_rows(nb::handle array, float* to, std::size_t count) {
  const FloatArray values = checked_array(array, count);
  std::copy_n(values.data(), count, to);
}

class PythonSimulator : public Simulator {
 public:
  PythonSimulator(nb::handle call, int hidden, int actions, int identities)
      : call_(nb::borrow(call)), hidden_(hidden), actions_(actions), identities_(identities) {}

  int hidden_size() const override { return hidden_; }
  int num_actions() const override { return actions_; }
  int num_identities() const override { return identities_; }
  bool parallel() const override { return false; }

  void step(const StepBatch& batch) override {
    nb::gil_scoped_acquire gil;
    const auto m = static_cast<std::size_t>(batch.size);
    const auto h = static_cast<std::size_t>(hidden_);
    const auto a = static_cast<std::size_t>(actions_);
    float* rows = nullptr;
    auto hidden = new_array<float>(m, h, rows);
    for (std::size_t i = 0; i < m; ++i) std::copy_n(batch.hidden[i], h, rows + i * h);
    std::int32_t* ids = nullptr;
    auto action = new_array<std::int32_t>(m, 1, ids);
    std::copy_n(batch.action, m, ids);
    const nb::object outputs = call_(hidden, nb::cast(action).attr("reshape")(-1));
    const FloatArray next = checked_array(outputs[0], m * h);
    for (std::size_t i = 0; i < m; ++i) std::copy_n(next.data() + i * h, h, batch.next_hidden[i]);
    copy_rows(outputs[1], batch.reward, m);
    copy_rows(outputs[2], batch.policy_logits, m * a);
    copy_rows(outputs[3], batch.value, m);
    if (batch.identity_logits != nullptr) {
      copy_rows(outputs[4], batch.identity_logits, m * static_cast<std::size_t>(identities_));
      copy_rows(outputs[5], batch.chance_logits, m * a);
    }
  }

 private:
  nb::object call_;
  int hidden_, actions_, identities_;
};

class PythonEvaluator : public Evaluator {
 public:
  PythonEvaluator(nb::handle call, int size, int actions)
      : call_(nb::borrow(call)), size_(size), actions_(actions) {}

  int observation_size() const override { return size_; }
  int num_actions() const override { return actions_; }
  bool parallel() const override { return false; }

  void evaluate(int size, const float* observations, const std::uint8_t* legal, float* policy_logits,
                float* value) override {
    nb::gil_scoped_acquire gil;
    const auto m = static_cast<std::size_t>(size);
    const auto a = static_cast<std::size_t>(actions_);
    float* rows = nullptr;
    auto seen = new_array<float>(m, static_cast<std::size_t>(size_), rows);
    std::copy_n(observations, m * static_cast<std::size_t>(size_), rows);
    std::uint8_t* flags = nullptr;
    auto mask = new_array<std::uint8_t>(m, a, flags);
    std::copy_n(legal, m * a, flags);
    const nb::object outputs = call_(seen, mask);
    copy_rows(outputs[0], policy_logits, m * a);
    copy_rows(outputs[1], value, m);
  }

 private:
  nb::object call_;
  int size_, actions_;
};

template <class T>
T* native_part(nb::handle object) {
  if (nb::isinstance<T>(object)) return nb::cast<T*>(object);
  if (nb::hasattr(object, "native") && nb::isinstance<T>(object.attr("native")))
    return nb::cast<T*>(object.attr("native"));
  return nullptr;
}

const char* kind_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::choice:
      return "choice";
    case NodeKind::chance:
      return "chance";
    case NodeKind::identity:
      return "identity";
    default:
      return "terminal";
  }
}

}  // namespace

Simulator& find_simulator(nb::handle model, int hidden_size, int num_actions, int num_identities,
                          std::unique_ptr<Simulator>& adapter) {
  if (Simulator* native = native_part<Simulator>(model)) return *native;
  adapter = std::make_unique<PythonSimulator>(model, hidden_size, num_actions, num_identities);
  return *adapter;
}

Evaluator& find_evaluator(nb::handle network, const std::vector<int>& observation_shape, int num_actions,
                          std::unique_ptr<Evaluator>& adapter) {
  if (Evaluator* native = native_part<Evaluator>(network)) return *native;
  int size = 1;
  for (const int n : observation_shape) size *= n;
  adapter = std::make_unique<PythonEvaluator>(network, size, num_actions);
  return *adapter;
}

nb::tuple describe_node(const Forest& forest, std::size_t row, Index node) {
  if (row >= forest.size() || node < 0 || static_cast<std::size_t>(node) >= forest.tree(row).size()) {
    throw nb::index_error("no such row or node in the forest");
  }
  const Tree& tree = forest.tree(row);
  const Node& n = tree.node(node);
  nb::list edges;
  for (const Edge& e : tree.edges(node)) {
    const bool has_mean =
        n.kind == NodeKind::choice || (n.kind == NodeKind::chance && forest.every_visit_counts(row));
    const nb::object q = e.visits > 0 && has_mean ? nb::cast(e.q()) : nb::none();
    edges.append(nb::make_tuple(e.action, e.child, forest.label(row, node, e), e.visits, q, e.prior));
  }
  const nb::object value = n.visits > 0 ? nb::cast(n.value()) : nb::none();
  return nb::make_tuple(kind_name(n.kind), static_cast<int>(n.player), n.visits, value, n.raw, edges);
}

}  // namespace dicezero

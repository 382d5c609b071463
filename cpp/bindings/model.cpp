// Native networks: built from NumPy weights (checked by dicezero.model), evaluated in batches without the
// GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/module.h"
#include "bindings/network.h"
#include "model/judge.h"
#include "model/mlp.h"
#include "model/muzero_net.h"

namespace dicezero {
namespace {

namespace nb = nanobind;

using Layers = std::vector<std::pair<Matrix, Matrix>>;  // (weights, biases) of each layer

Skip find_skip(const std::string& name) {
  if (name == "none") return Skip::kNone;
  if (name == "plain") return Skip::kPlain;
  if (name == "turned") return Skip::kTurned;
  throw std::invalid_argument("skip '" + name + "' is unknown; give one of 'none', 'plain', 'turned'");
}

LayerWeights layer_weights(const Matrix& w, const Matrix& b) {
  if (b.shape(1) != w.shape(1) || b.shape(0) < 1) {
    throw std::invalid_argument("a bias has " + std::to_string(b.shape(1)) + " columns, its weights have " +
                                std::to_string(w.shape(1)));
  }
  return {static_cast<int>(w.shape(0)), static_cast<int>(w.shape(1)), static_cast<int>(b.shape(0)), w.data(),
          b.data()};
}

std::vector<LayerWeights> all_weights(const Layers& layers) {
  std::vector<LayerWeights> weights;
  for (const auto& [w, b] : layers) weights.push_back(layer_weights(w, b));
  return weights;
}

Floats dense(const Matrix& x, const Matrix& w, const Matrix& b, const std::string& activation,
             const std::string& kernel) {
  check_columns("x", x.shape(1), static_cast<int>(w.shape(0)));
  const LayerWeights l = layer_weights(w, b);
  const Dense layer(l.inputs, l.outputs, l.weights, l.biases, 1, find_activation(activation),
                    find_kernel(kernel));
  const int rows = static_cast<int>(x.shape(0));
  AlignedFloats padded(static_cast<std::size_t>(rows) * layer.stride());
  layer.run(rows, x.data(), l.inputs, nullptr, padded.data());
  Floats y = new_floats({x.shape(0), w.shape(1)});
  copy_columns(rows, padded.data(), layer.stride(), 0, l.outputs, y.data());
  return y;
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Simulator>(m, "Simulator", "A learned model that the planner steps natively.")
      .def_prop_ro("hidden_size", &Simulator::hidden_size)
      .def_prop_ro("num_actions", &Simulator::num_actions)
      .def_prop_ro("num_identities", &Simulator::num_identities);
  nb::class_<Evaluator>(m, "Evaluator", "A network that the planner asks natively about true positions.")
      .def_prop_ro("observation_size", &Evaluator::observation_size)
      .def_prop_ro("num_actions", &Evaluator::num_actions);

  nb::class_<MuZeroNet, Simulator>(m, "MuZeroNet")
      .def(
          "__init__",
          [](MuZeroNet* self, const Layers& representation, const Layers& dynamics, const Layers& prediction,
             int num_actions, int num_identities, const std::string& activation, bool scale_hidden,
             const std::string& skip, const std::vector<float>& support, const std::string& kernel) {
            const Kernel& resolved = find_kernel(kernel);
            new (self) MuZeroNet(all_weights(representation), all_weights(dynamics), all_weights(prediction),
                                 num_actions, num_identities, find_activation(activation), scale_hidden,
                                 find_skip(skip), NumberHead(support, resolved), resolved);
          },
          nb::arg("representation"), nb::arg("dynamics"), nb::arg("prediction"), nb::kw_only(),
          nb::arg("num_actions"), nb::arg("num_identities"), nb::arg("activation"),
          nb::arg("scale_hidden") = false, nb::arg("skip") = "none",
          nb::arg("support") = std::vector<float>(), nb::arg("kernel") = "")
      .def_prop_ro("observation_size", &MuZeroNet::observation_size)
      .def("root", &root<MuZeroNet>, nb::arg("observations"))
      .def("step", &step<MuZeroNet>, nb::arg("hidden"), nb::arg("action"));

  nb::class_<MlpEvaluator, Evaluator>(m, "MlpEvaluator", nb::is_final())
      .def(
          "__init__",
          [](MlpEvaluator* self, const Layers& layers, const std::string& activation,
             const std::vector<float>& support, const std::string& kernel) {
            const Kernel& resolved = find_kernel(kernel);
            new (self) MlpEvaluator(Mlp(all_weights(layers), find_activation(activation), resolved),
                                    NumberHead(support, resolved));
          },
          nb::arg("layers"), nb::kw_only(), nb::arg("activation"), nb::arg("support") = std::vector<float>(),
          nb::arg("kernel") = "")
      .def("evaluate", &evaluate<MlpEvaluator>, nb::arg("observations"), nb::arg("legal"));

  nb::class_<PlayingJudge>(m, "PlayingJudge", "A judge of afterstates that native searches can ask.");
  nb::class_<PhasedJudge, PlayingJudge>(m, "Judge",
                                        "A judge of afterstates, with a network for each phase of the game.")
      .def(
          "__init__",
          [](PhasedJudge* self, const std::vector<Layers>& phases, const std::string& activation,
             const std::vector<float>& results, const std::vector<float>& support,
             const std::string& kernel) {
            const Kernel& resolved = find_kernel(kernel);
            std::vector<std::vector<LayerWeights>> nets;
            for (const Layers& layers : phases) nets.push_back(all_weights(layers));
            new (self) PhasedJudge(nets, find_activation(activation), results, NumberHead(support, resolved),
                                   resolved);
          },
          nb::arg("phases"), nb::kw_only(), nb::arg("activation"), nb::arg("results") = std::vector<float>(),
          nb::arg("support") = std::vector<float>(), nb::arg("kernel") = "")
      .def(
          "values",
          [](const PhasedJudge& judge, const Matrix& observations) {
            check_columns("observations", observations.shape(1), judge.observation_size());
            Floats value = new_floats({observations.shape(0)});
            {
              const nb::gil_scoped_release released;
              judge.values(static_cast<int>(observations.shape(0)), observations.data(), value.data());
            }
            return value;
          },
          nb::arg("observations"), "Observations [M, O] to values [M], for the player whose view each is.");

  m.def("dense", &dense, nb::arg("x"), nb::arg("weight"), nb::arg("bias"), nb::kw_only(),
        nb::arg("activation"), nb::arg("kernel") = "",
        "act(x @ weight + bias) for x [M, K], weight [K, N], bias [1, N].");
  m.def(
      "dense_kernels",
      [] {
        std::vector<std::string> names;
        for (const Kernel& k : kernels()) names.emplace_back(k.name);
        return names;
      },
      "The dense kernels this machine can run, fastest first.");
}

}  // namespace dicezero

// Native networks for boards, built from NumPy weights (checked by dicezero.model).
#include "bindings/module.h"
#include "bindings/network.h"
#include "model/board_net.h"
#include "model/symmetric.h"

namespace dicezero {
namespace {

using Array = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;
using LayerArrays = std::pair<std::string, std::vector<Array>>;  // kind, weights
using BlockArrays = std::pair<bool, std::vector<LayerArrays>>;   // skip, layers
using HeadArrays =
    std::pair<bool, std::vector<std::pair<Matrix, Matrix>>>;  // is a number; planes, dense layers

std::vector<BlockSpec> block_specs(const std::vector<BlockArrays>& blocks) {
  std::vector<BlockSpec> specs;
  for (const auto& [skip, layers] : blocks) {
    BlockSpec& block = specs.emplace_back(BlockSpec{skip, {}});
    for (const auto& [kind, arrays] : layers) {
      LayerSpec& layer = block.layers.emplace_back(LayerSpec{kind, {}});
      for (const Array& array : arrays) {
        WeightArray& made = layer.arrays.emplace_back(WeightArray{{}, array.data()});
        for (std::size_t i = 0; i < array.ndim(); ++i) made.shape.push_back(static_cast<int>(array.shape(i)));
      }
    }
  }
  return specs;
}

LayerWeights layer_of(const std::pair<Matrix, Matrix>& layer) {
  const auto& [weight, bias] = layer;
  if (bias.shape(0) != 1 || bias.shape(1) != weight.shape(1)) {
    throw std::invalid_argument("a bias has " + std::to_string(bias.shape(1)) +
                                " columns, its weights have " + std::to_string(weight.shape(1)));
  }
  return {static_cast<int>(weight.shape(0)), static_cast<int>(weight.shape(1)), 1, weight.data(),
          bias.data()};
}

std::vector<HeadSpec> head_specs(const std::vector<HeadArrays>& heads) {
  std::vector<HeadSpec> specs;
  for (const auto& [number, head] : heads) {
    if (head.size() < 2) throw std::invalid_argument("a head has no dense layer; give one or more");
    HeadSpec& spec = specs.emplace_back(HeadSpec{layer_of(head.front()), {}, number});
    for (std::size_t i = 1; i < head.size(); ++i) spec.layers.push_back(layer_of(head[i]));
  }
  return specs;
}

Planes planes_of(const std::tuple<int, int, int>& shape) {
  const auto& [channels, height, width] = shape;
  return {height, width, channels};
}

}  // namespace

void bind_board(nb::module_& m) {
  nb::class_<BoardEvaluator, Evaluator>(m, "BoardEvaluator", nb::is_final())
      .def(
          "__init__",
          [](BoardEvaluator* self, const std::tuple<int, int, int>& shape,
             const std::vector<BlockArrays>& tower, const std::vector<HeadArrays>& heads,
             const std::vector<float>& support, const std::string& kernel) {
            const Kernel& resolved = find_kernel(kernel);
            new (self) BoardEvaluator(planes_of(shape), block_specs(tower), head_specs(heads),
                                      NumberHead(support, resolved), resolved);
          },
          nb::arg("shape"), nb::arg("tower"), nb::arg("heads"), nb::kw_only(),
          nb::arg("support") = std::vector<float>(), nb::arg("kernel") = "")
      .def("evaluate", &evaluate<BoardEvaluator>, nb::arg("observations"), nb::arg("legal"));

  nb::class_<BoardModel, Simulator>(m, "BoardModel")
      .def(
          "__init__",
          [](BoardModel* self, const std::tuple<int, int, int>& shape,
             const std::vector<BlockArrays>& representation, const std::vector<BlockArrays>& dynamics,
             const std::vector<HeadArrays>& dynamics_heads, const std::vector<HeadArrays>& prediction_heads,
             const Matrix& actions, int action_planes, int num_identities, bool scale_hidden,
             const std::vector<float>& support, const std::string& kernel) {
            const Kernel& resolved = find_kernel(kernel);
            BoardModel::Parts parts{block_specs(representation),        block_specs(dynamics),
                                    head_specs(dynamics_heads),         head_specs(prediction_heads),
                                    static_cast<int>(actions.shape(0)), action_planes,
                                    static_cast<int>(actions.shape(1)), actions.data()};
            new (self) BoardModel(planes_of(shape), parts, num_identities, scale_hidden,
                                  NumberHead(support, resolved), resolved);
          },
          nb::arg("shape"), nb::arg("representation"), nb::arg("dynamics"), nb::arg("dynamics_heads"),
          nb::arg("prediction_heads"), nb::kw_only(), nb::arg("actions"), nb::arg("action_planes"),
          nb::arg("num_identities"), nb::arg("scale_hidden") = false,
          nb::arg("support") = std::vector<float>(), nb::arg("kernel") = "")
      .def_prop_ro("observation_size", &BoardModel::observation_size)
      .def("root", &root<BoardModel>, nb::arg("observations"))
      .def("step", &step<BoardModel>, nb::arg("hidden"), nb::arg("action"));

  // Evaluators are final: one of Python's that held what keeps it alive would never be collected.
  nb::class_<SymmetricEvaluator, Evaluator>(m, "SymmetricEvaluator", nb::is_final(),
                                            "The mean of an evaluator's answers about all symmetric forms.")
      .def(
          "__init__",
          [](SymmetricEvaluator* self, Evaluator& inner,
             const std::vector<std::pair<std::vector<int>, std::vector<int>>>& symmetries) {
            std::vector<BoardSymmetry> made;
            for (const auto& [cells, actions] : symmetries) made.push_back({cells, actions});
            new (self) SymmetricEvaluator(inner, std::move(made));
          },
          nb::arg("inner"), nb::arg("symmetries"), nb::keep_alive<1, 2>())
      .def("evaluate", &evaluate<SymmetricEvaluator>, nb::arg("observations"), nb::arg("legal"));

  m.def(
      "winograd_products",
      [](int height, int width) {
        if (height < 1 || width < 1) throw std::invalid_argument("height and width must be 1 or more");
        return best_tiling(height, width).products();
      },
      nb::arg("height"), nb::arg("width"),
      "Products for each pair of input and output channel of a 3x3 convolution over a board.");
}

}  // namespace dicezero

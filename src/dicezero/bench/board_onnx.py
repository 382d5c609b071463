"""A board evaluator as an ONNX graph, for other engines to run: planes [M, C, H, W], as ONNX wants them."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from dicezero.model.board import BoardEvaluator
from dicezero.model.board_player import Layer, head_layers, tower_blocks
from dicezero.model.weights import Floats, Weights


class _Graph:
    """Nodes and constants in the order they are made."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """A node; its output's name."""
        output = name or f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, array: Any) -> str:
        """A constant's name."""
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def convolution(self, x: str, kernel: Floats, bias: Floats) -> str:
        """A convolution; the kernel comes as [height, width, inputs, outputs]."""
        pad = kernel.shape[0] // 2
        weights = self.constant(kernel.transpose(3, 2, 0, 1))
        return self.add("Conv", x, weights, self.constant(bias), pads=[pad] * 4)

    def layer(self, x: str, layer: Layer, sides: tuple[int, int]) -> str:
        """A layer of a residual block, without its ReLU."""
        kind, arrays = layer
        if kind == "convolution":
            return self.convolution(x, *arrays)
        if kind != "broadcast":
            raise ValueError(f"a layer of kind {kind!r} has no ONNX form here")
        flat = self.add("Reshape", x, self.constant(np.array([0, 0, -1])))
        mixed = self.add("MatMul", flat, self.constant(arrays[0]))
        shifted = self.add("Add", mixed, self.constant(arrays[1]))
        return self.add("Reshape", shifted, self.constant(np.array([0, 0, *sides])))


def onnx_model(network: BoardEvaluator, weights: Weights) -> Any:
    """The network: ``observation`` [M, O] to ``policy`` [M, A] and ``value`` [M, 1]."""
    graph, sides = _Graph(), network.shape[1:]
    x = graph.add("Reshape", "observation", graph.constant(np.array([-1, *network.shape])))
    for skip, layers in tower_blocks(network, weights, "evaluator"):
        before = x
        for i, layer in enumerate(layers):
            x = graph.layer(x, layer, sides)
            if skip and i == len(layers) - 1:
                x = graph.add("Add", x, before)
            x = graph.add("Relu", x)
    heads = zip(network.heads()["evaluator"], head_layers(network, weights, "evaluator"), strict=True)
    for head, (_, arrays) in heads:
        (kernel, bias), *dense = arrays
        planes = graph.add("Relu", graph.convolution(x, kernel[None, None], bias[0]))
        inner = graph.add("Transpose", planes, perm=[0, 2, 3, 1])
        inner = graph.add("Flatten", inner)
        for i, (weight, shift) in enumerate(dense):
            last = i == len(dense) - 1
            inputs = inner, graph.constant(weight), graph.constant(shift[0])
            inner = graph.add("Gemm", *inputs, name=head if last else "")
            inner = inner if last else graph.add("Relu", inner)
    rows, columns = "rows", {"policy": network.actions, "value": 1}
    made = helper.make_graph(
        graph.nodes,
        "board",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, [rows, network.observation])],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, [rows, c]) for n, c in columns.items()],
        graph.constants,
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

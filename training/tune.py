"""Tunes the encoder layers with InfoNCE over cosines."""

import time

import numpy as np
import torch
from torch.nn import functional

from data import Step
from encoder import Encoder
from hybrid import HybridAddends

TEMPERATURE = 0.02
WEIGHT_DECAY = 0.01
BETAS = (0.9, 0.999)

LAYER_DECAY = 0.9
"""The learning rate of a layer, relative to the one above it: lower layers change less."""

WARM_UP = 20
"""Steps at the beginning of each epoch in which the rate grows."""

FALL = 0.1
"""The share of all steps after which the rate falls, as a cosine to a twentieth."""


class Tuning:
    """Tunes the layers of an encoder in place, by epochs that have `total` steps together."""

    def __init__(self, encoder: Encoder, *, rate: float, total: int):
        self.encoder = encoder
        self.rate = rate
        self.total = total

    def run(
        self,
        steps: list[Step],
        *,
        done: int,
        passages: list[np.ndarray],
        questions: list[np.ndarray],
        addends: HybridAddends | None,
    ) -> None:
        """An epoch, after `done` steps of others. Passages and questions of the steps are indices of tokenized texts.

        With addends, passages are told apart by their sums instead of their cosines.
        """
        optimizer = self.optimizer()
        started = time.monotonic()
        losses: list[float] = []
        for i, step in enumerate(steps):
            at = done + i + 1
            for group in optimizer.param_groups:
                group["lr"] = group["highest"] * min(1.0, (i + 1) / WARM_UP) * slope(at / self.total)
            losses.append(self.take(step, optimizer, passages, questions, addends))
            if (i + 1) % 10 == 0:
                each = (time.monotonic() - started) / (i + 1)
                loss = np.mean(losses[-20:])
                print(f"step {at} of {self.total}, loss {loss:.4f}, {each:.1f} s a step", flush=True)

    def optimizer(self) -> torch.optim.AdamW:
        groups = []
        for depth, layer in enumerate(reversed(self.encoder.layers)):
            for weight in layer.values():
                weight.requires_grad_(True)
                highest = self.rate * LAYER_DECAY**depth
                decay = WEIGHT_DECAY if weight.ndim > 1 else 0.0
                groups.append({"params": [weight], "lr": highest, "highest": highest, "weight_decay": decay})
        return torch.optim.AdamW(groups, betas=BETAS, eps=1e-8)

    def take(
        self,
        step: Step,
        optimizer: torch.optim.AdamW,
        passages: list[np.ndarray],
        questions: list[np.ndarray],
        addends: HybridAddends | None,
    ) -> float:
        texts = [passages[i] for i in step.passages] + [questions[i] for i in step.questions]
        vectors = self.encoder.encode(texts)
        answers, asked = vectors[: len(step.passages)], vectors[len(step.passages) :]
        sums = asked @ answers.T
        if addends:
            sums = sums + torch.from_numpy(addends.between(step.questions, step.passages))
        logits = (sums / TEMPERATURE).masked_fill(~torch.from_numpy(step.allowed), -1e9)
        loss = functional.cross_entropy(logits, torch.from_numpy(step.answers))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([group["params"][0] for group in optimizer.param_groups], 1.0)
        optimizer.step()
        return loss.item()


def slope(share: float) -> float:
    """The share of the highest rate, after a share of the steps."""
    return 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * min(1.0, max(0.0, share - FALL) / (1 - FALL))))

"""Tunes the upper layers with InfoNCE over cosines."""

import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from data import Step
from encoder import encode

ROW = 192
"""Tokens of a row, which several texts share."""

ROWS = 54
"""Rows of a step. Texts that do not fit are left out of it."""

TEMPERATURE = 0.02
WEIGHT_DECAY = 0.01
BETAS = (0.9, 0.999)


def pack(texts: list[np.ndarray], width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Packs texts into rows, longest first. Returns states, segments, and the place of each first token, -1 for none."""
    states = np.zeros((ROWS, ROW, width), np.float32)
    segments = np.full((ROWS, ROW), -1, np.int32)
    firsts = np.full(len(texts), -1, np.int32)
    used = np.zeros(ROWS, int)
    for i in sorted(range(len(texts)), key=lambda i: -len(texts[i])):
        length = len(texts[i])
        fitting = np.nonzero(used + length <= ROW)[0]
        if len(fitting) == 0:
            continue
        row = fitting[np.argmax(used[fitting])]
        start = used[row]
        states[row, start : start + length] = texts[i]
        segments[row, start : start + length] = i
        firsts[i] = row * ROW + start
        used[row] += length
    return states, segments, firsts


def loss_of(layers, states, segments, passage_firsts, question_firsts, allowed, answers, weights):
    vectors = encode(layers, states, segments, jnp.concatenate([passage_firsts, question_firsts]))
    passages, questions = vectors[: len(passage_firsts)], vectors[len(passage_firsts) :]
    logits = jnp.where(allowed, questions @ passages.T / TEMPERATURE, -1e9)
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits, axis=-1), answers[:, None], axis=-1)[:, 0]
    return -(chosen * weights).sum() / weights.sum()


@jax.jit
def update(layers, moments, count, rate, *batch):
    loss, gradient = jax.value_and_grad(loss_of)(layers, *batch)
    norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda leaf: leaf * jnp.minimum(1.0, 1.0 / norm), gradient)
    first = jax.tree.map(lambda m, g: BETAS[0] * m + (1 - BETAS[0]) * g, moments[0], gradient)
    second = jax.tree.map(lambda v, g: BETAS[1] * v + (1 - BETAS[1]) * g**2, moments[1], gradient)

    def apply(weight, m, v):
        change = (m / (1 - BETAS[0] ** count)) / (jnp.sqrt(v / (1 - BETAS[1] ** count)) + 1e-8)
        decay = WEIGHT_DECAY if weight.ndim > 1 else 0.0
        return weight - rate * (change + decay * weight)

    return jax.tree.map(apply, layers, first, second), (first, second), loss


def tune(
    layers,
    steps: list[Step],
    *,
    passages: list[np.ndarray],
    questions: list[np.ndarray],
    rate: float,
    size: int,
    checkpoint: Callable[[int, list], None],
):
    """Returns the tuned layers. The rate grows for a tenth of the steps, then falls as a cosine to a twentieth."""
    layers = jax.tree.map(jnp.asarray, layers)
    moments = (jax.tree.map(jnp.zeros_like, layers), jax.tree.map(jnp.zeros_like, layers))
    width = passages[0].shape[1]
    started = time.monotonic()
    losses: list[float] = []
    for i, step in enumerate(steps):
        share = (i + 1) / len(steps)
        warm = min(1.0, share / 0.1)
        slope = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * max(0.0, share - 0.1) / 0.9))
        batch = arranged(step, passages, questions, width=width, size=size)
        layers, moments, loss = update(layers, moments, i + 1, rate * warm * slope, *batch)
        losses.append(float(loss))
        if (i + 1) % 10 == 0:
            each = (time.monotonic() - started) / (i + 1)
            print(f"step {i + 1} of {len(steps)}, loss {np.mean(losses[-20:]):.4f}, {each:.1f} s a step", flush=True)
        if (i + 1) % 100 == 0 or i + 1 == len(steps):
            checkpoint(i + 1, jax.tree.map(np.asarray, layers))
    return jax.tree.map(np.asarray, layers)


def arranged(step: Step, passages: list[np.ndarray], questions: list[np.ndarray], *, width: int, size: int):
    """A step as arrays of shapes that never change, so that it is compiled once."""
    texts = [passages[i] for i in step.passages] + [questions[i] for i in step.questions]
    states, segments, firsts = pack(texts, width)
    count, asked = len(step.passages), len(step.questions)
    passage_firsts = np.zeros(2 * size, np.int32)
    question_firsts = np.zeros(2 * size, np.int32)
    allowed = np.zeros((2 * size, 2 * size), bool)
    answers = np.zeros(2 * size, np.int32)
    weights = np.zeros(2 * size, np.float32)
    present = firsts >= 0
    passage_firsts[:count] = np.maximum(firsts[:count], 0)
    question_firsts[:asked] = np.maximum(firsts[count:], 0)
    allowed[:asked, :count] = step.allowed & present[None, :count]
    answers[:asked] = step.answers
    weights[:asked] = present[count:] & present[step.answers]
    allowed[:, 0] |= ~allowed.any(axis=1)
    return states, segments, passage_firsts, question_firsts, allowed, answers, weights

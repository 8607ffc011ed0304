"""The tuned layers of the encoder in JAX, over packed texts: several texts share a row and do not see each other."""

import jax
import jax.numpy as jnp

HEADS = 12


def layer_norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-12) * weight + bias


def linear(x, layer, name):
    return x @ layer[f"{name}/weight"] + layer[f"{name}/bias"]


def attention(x, layer, mask):
    rows, length, width = x.shape

    # [rows, heads, length, width of a head]: on a CPU, products of this layout take half the time of `einsum`.
    def heads(name):
        return linear(x, layer, name).reshape(rows, length, HEADS, width // HEADS).swapaxes(1, 2)

    query, key, value = heads("attention/self/query"), heads("attention/self/key"), heads("attention/self/value")
    scores = query @ key.swapaxes(-1, -2) / (width // HEADS) ** 0.5
    weights = jax.nn.softmax(jnp.where(mask[:, None], scores, -1e9), axis=-1)
    mixed = (weights @ value).swapaxes(1, 2).reshape(rows, length, width)
    return linear(mixed, layer, "attention/output/dense")


def encode(layers, states, segments, firsts):
    """Embeddings of packed texts.

    `states` are the values below the tuned layers, [rows, length, width]; `segments` says which text of its row a token
    belongs to, [rows, length], with -1 for padding; `firsts` is the index of each text's first token in the flattened
    rows. Returns unit vectors, [texts, width].
    """
    mask = segments[:, :, None] == segments[:, None, :]
    x = states
    for layer in layers:
        x = layer_norm(
            x + attention(x, layer, mask),
            layer["attention/output/LayerNorm/weight"],
            layer["attention/output/LayerNorm/bias"],
        )
        inner = jax.nn.gelu(linear(x, layer, "intermediate/dense"), approximate=False)
        x = layer_norm(
            x + linear(inner, layer, "output/dense"), layer["output/LayerNorm/weight"], layer["output/LayerNorm/bias"]
        )
    first = x.reshape(-1, x.shape[-1])[firsts]
    return first / jnp.linalg.norm(first, axis=-1, keepdims=True)

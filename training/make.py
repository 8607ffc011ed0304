"""Makes waymark-docs-small-en from the base model and the training data. See README.md."""

import argparse
from pathlib import Path

import onnx
import torch

from base_model import embedding_weights, fetch, layer_weights
from checkpoints import Checkpoints
from data import PASSAGE_TOKENS, QUERY_PREFIX, QUESTION_TOKENS, files_of, read, steps, tokenize
from encoder import Encoder
from export import copy_layout, export
from hybrid import HybridAddends
from negatives import hard_negatives
from tune import Tuning

HERE = Path(__file__).resolve().parent
PRESENT = HERE.parent / "models" / "waymark-docs-small-en"


EPOCHS = 3
"""In the last one, a question's score of a passage is that of hybrid ranking."""

SHARES = {"base": 0.2, "second": 0.4, "last": 0.4}
"""Of the base, and of the ends of the last two epochs, in the average of the weights."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "training")
    parser.add_argument("--further", type=Path, help="a file of further questions on its passages")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="downloads and checkpoints")
    parser.add_argument("--out", type=Path, default=HERE / "work" / "waymark-docs-small-en")
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--size", type=int, default=32, help="passages a step, before hard negatives")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, help="stop each epoch after so many steps, to try the command")
    options = parser.parse_args()

    graph, tokenizer = fetch(options.work)
    base = onnx.load(graph)
    base_layers = layer_weights(base)
    encoder = Encoder(tensors(embedding_weights(base)), [tensors(layer) for layer in base_layers])
    data = read(options.data, further=options.further)
    passages = tokenize(tokenizer, data.text, PASSAGE_TOKENS)
    questions = tokenize(tokenizer, [QUERY_PREFIX + text for text in data.question_text], QUESTION_TOKENS)
    tuning = Tuning(encoder, rate=options.rate, total=EPOCHS * round(len(data.asked) / options.size))
    checkpoints = Checkpoints(
        options.work,
        settings={name: getattr(options, name) for name in ("rate", "size", "seed", "steps")},
        files=[*files_of(options.data, further=options.further), graph, tokenizer, *sorted(HERE.glob("*.py"))],
    )
    ends = checkpoints.load()
    if ends:
        print(f"Continues after epoch {len(ends)}, whose weights are in {checkpoints.folder}.")
        encoder.layers = [tensors(layer) for layer in ends[-1]]
    for epoch in range(len(ends), EPOCHS):
        addends = HybridAddends(data) if epoch == EPOCHS - 1 else None
        vectors = encoder.embed(passages, name="passages"), encoder.embed(questions, name="questions")
        negatives = hard_negatives(data, *vectors, addends)
        taken = steps(data, negatives, size=options.size, seed=options.seed + epoch)[: options.steps]
        tuning.run(taken, done=epoch * len(taken), passages=passages, questions=questions, addends=addends)
        ends.append([arrays(layer) for layer in encoder.layers])
        checkpoints.save(epoch, ends[-1])

    copy_layout(PRESENT, options.out)
    export(base, average(dict(zip(SHARES, (base_layers, *ends[-2:]), strict=True))), options.out)
    checkpoints.discard()
    print(f"Wrote {options.out}. Measure it: npm run bench -- quality ../shared/eval/docs --model {options.out}")


def average(layers_by_name):
    return [
        {
            name: sum(share * layers_by_name[origin][depth][name] for origin, share in SHARES.items())
            for name in layers_by_name["base"][depth]
        }
        for depth in range(len(layers_by_name["base"]))
    ]


def arrays(weights):
    return {name: weight.detach().numpy().copy() for name, weight in weights.items()}


def tensors(weights):
    return {name: torch.tensor(array) for name, array in weights.items()}


if __name__ == "__main__":
    main()

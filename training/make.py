"""Makes waymark-docs-small-en from the base model and the training data. See README.md."""

import argparse
import pickle
from pathlib import Path

import onnx

from base_model import fetch, tuned_weights
from data import PASSAGE_TOKENS, QUERY_PREFIX, QUESTION_TOKENS, hard_negatives, read, steps, tokenize
from export import copy_layout, export
from states import compute
from tune import tune

HERE = Path(__file__).resolve().parent
PRESENT = HERE.parent / "models" / "waymark-docs-small-en"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "training")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="downloads and intermediate results")
    parser.add_argument("--out", type=Path, default=HERE / "work" / "waymark-docs-small-en")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--size", type=int, default=32, help="passages a step, before hard negatives")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, help="stop after so many steps, to try the command")
    options = parser.parse_args()

    graph, tokenizer = fetch(options.work)
    data = read(options.data)
    passages = tokenize(tokenizer, data.text, PASSAGE_TOKENS)
    questions = tokenize(tokenizer, [QUERY_PREFIX + text for text in data.question_text], QUESTION_TOKENS)
    # Delete the folder if the data or the base has changed.
    cache = options.work / "states.pickle"
    if cache.exists():
        passage_states, question_states, negatives = pickle.loads(cache.read_bytes())
    else:
        passage_states, embedded_passages = compute(graph, passages, name="passages")
        question_states, embedded_questions = compute(graph, questions, name="questions")
        negatives = hard_negatives(data, embedded_passages, embedded_questions)
        cache.write_bytes(pickle.dumps((passage_states, question_states, negatives)))

    base = onnx.load(graph)
    copy_layout(PRESENT, options.out)
    tune(
        tuned_weights(base),
        steps(data, negatives, size=options.size, epochs=options.epochs, seed=options.seed)[: options.steps],
        passages=passage_states,
        questions=question_states,
        rate=options.rate,
        size=options.size,
        checkpoint=lambda step, layers: export(base, layers, options.out),
    )
    print(f"Wrote {options.out}. Measure it: npm run bench -- quality ../shared/eval/docs --model {options.out}")


if __name__ == "__main__":
    main()

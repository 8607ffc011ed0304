"""Hard negatives: passages that a question is easily taken to ask for."""

import numpy as np

from data import Data
from hybrid import HybridAddends


def hard_negatives(
    data: Data, passages: np.ndarray, questions: np.ndarray, addends: HybridAddends | None, count: int = 5
) -> list[np.ndarray]:
    """For each question, the best passages of its corpus that do not answer it: by cosine, or by hybrid ranking.

    Left out are neighbours of the answer in its file, near copies of it (cosine above .93), and what is nearer to the
    question than the answer by more than .05, which may well answer it, too.
    """
    corpora = np.array(data.corpus)
    files = np.array(data.file)
    found: list[np.ndarray] = [np.zeros(0, int)] * len(data.question_text)
    for corpus in sorted(set(data.corpus)):
        members = np.nonzero(corpora == corpus)[0]
        vectors = passages[members]
        for question in np.nonzero(corpora[data.answer] == corpus)[0]:
            answer = data.answer[question]
            near = vectors @ questions[question]
            allowed = (
                ((files[members] != files[answer]) | (abs(data.position[members] - data.position[answer]) > 2))
                & (vectors @ passages[answer] < 0.93)
                & (near < questions[question] @ passages[answer] + 0.05)
            )
            sums = near + addends.of_corpus(question, members) if addends else near
            found[question] = members[np.argsort(-np.where(allowed, sums, -2), kind="stable")[:count]]
    return found

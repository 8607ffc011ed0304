"""What hybrid ranking adds to the cosine of a question and a passage: shared words, and the length of the passage.

The formulas and constants are those of docs/ranking.md. The terms are nearly those of Waymark: scripts without spaces
are not segmented.
"""

import re
import unicodedata

import numpy as np
import snowballstemmer

from data import Data

COSINE = 0.238
"""The cosine that is worth 1 in the sum: `related` less `unrelated` in the model card, before the last epoch."""

K1, B = 1.2, 0.75
BREADCRUMB_WEIGHT = 2
LEXICAL, NOISE, COMMON = 3, 0.1, 0.2
LENGTH, LENGTH_OFFSET = 0.13, 20

LEXEME = re.compile(r"[^\W_](?:[\w.'’+#-]*\w)?(?:\+\+|#)?")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[^\W_]+")
STOP_WORDS = frozenset(
    """a an and are as at be but by for he her hers him his how i id if ill im in into is it its itself ive me mine
    my myself no not of on or our ours she such that thats the their theirs them then there these they theyre
    this those to us was we what whats when where which who whom whose why will with you your youre yours""".split()
)

stemmer = snowballstemmer.stemmer("porter")


class HybridAddends:
    """The addends of each question and the passages of its corpus, in units of a cosine."""

    def __init__(self, data: Data):
        corpora = np.array(data.corpus)
        self.answer = data.answer
        self.corpora = corpora
        self.length = COSINE * LENGTH * np.log(np.array([len(text) for text in data.text]) + LENGTH_OFFSET)
        self.place = np.zeros(len(corpora), int)
        """Of each passage, among those of its corpus."""
        self.lexical: list[np.ndarray] = [np.zeros(0)] * len(data.question_text)
        for corpus in sorted(set(data.corpus)):
            members = np.nonzero(corpora == corpus)[0]
            self.place[members] = np.arange(len(members))
            index = LexicalIndex([data.text[i] for i in members])
            for question in np.nonzero(corpora[data.answer] == corpus)[0]:
                self.lexical[question] = COSINE * index.addends(data.question_text[question])

    def of_corpus(self, question: int, members: np.ndarray) -> np.ndarray:
        """Those of all passages of the question's corpus."""
        return self.lexical[question] + self.length[members]

    def between(self, questions: list[int], passages: list[int]) -> np.ndarray:
        """[questions, passages]. Words count within a corpus only."""
        sums = np.tile(self.length[passages], (len(questions), 1))
        for row, question in enumerate(questions):
            corpus = self.corpora[self.answer[question]]
            for column, passage in enumerate(passages):
                if self.corpora[passage] == corpus:
                    sums[row, column] += self.lexical[question][self.place[passage]]
        return sums.astype(np.float32)


class LexicalIndex:
    """Postings of the passages of one corpus. The first line of a passage is its breadcrumb."""

    def __init__(self, texts: list[str]):
        self.count = len(texts)
        weights: dict[str, dict[int, float]] = {}
        lengths = np.zeros(len(texts))
        for i, text in enumerate(texts):
            breadcrumb, _, content = text.partition("\n")
            for weight, part in ((BREADCRUMB_WEIGHT, breadcrumb), (1, content)):
                for term in map(stemmer.stemWord, terms_of(part)):
                    of_term = weights.setdefault(term, {})
                    of_term[i] = of_term.get(i, 0) + weight
            lengths[i] = len(terms_of(content))
        self.postings = {
            term: (np.array(list(of_term)), np.array(list(of_term.values()))) for term, of_term in weights.items()
        }
        self.normalizer = K1 * (1 - B + B * lengths / lengths.mean())

    def addends(self, question: str) -> np.ndarray:
        distinct = list(dict.fromkeys(terms_of(question)))
        terms = [term for term in distinct if term not in STOP_WORDS] or distinct
        bm25, rarest, ceiling = np.zeros(self.count), np.zeros(self.count), 0.0
        for term in dict.fromkeys(map(stemmer.stemWord, terms)):
            passages, occurrences = self.postings.get(term, (np.zeros(0, int), np.zeros(0)))
            weight = self.inverse_frequency(len(passages))
            ceiling += weight * (K1 + 1)
            if 0 < len(passages) <= max(self.count / 2, 1):
                bm25[passages] += weight * occurrences * (K1 + 1) / (occurrences + self.normalizer[passages])
                rarest[passages] = np.maximum(rarest[passages], weight)
        share = np.minimum(1, bm25 / ceiling) if ceiling > 0 else bm25
        rarity = rarest / self.inverse_frequency(1)
        return LEXICAL * (COMMON + (1 - COMMON) * rarity) * np.maximum(0, share - NOISE)

    def inverse_frequency(self, frequency: int) -> float:
        return max(1e-6, float(np.log((self.count - frequency + 0.5) / (frequency + 0.5))))


def terms_of(text: str) -> list[str]:
    """Words and names without case and accents, names also by part."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    terms: list[str] = []
    for lexeme in LEXEME.findall(folded):
        whole = re.sub(r"['’]", "", re.sub(r"['’]s$", "", lexeme))
        typed = whole.lower()
        terms.append(typed)
        is_whole = re.fullmatch(r"v?[\d.]+|.*(?:\+\+|#)|[a-z]+", whole, re.DOTALL) is not None
        parts = [] if is_whole else [part.lower() for part in PART.findall(whole)]
        if parts != [typed]:
            terms += parts
    return terms

"""Passages, questions, and the steps of training that are made of them."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
PASSAGE_TOKENS = 192
QUESTION_TOKENS = 48


@dataclass
class Data:
    """Passages by index, and questions that refer to them by index."""

    corpus: list[str]
    file: list[str]
    position: np.ndarray
    text: list[str]
    questions: list[list[int]]
    """For each passage, the indices of its questions; empty for one without."""
    question_text: list[str]
    answer: np.ndarray
    """For each question, the index of its passage."""

    @property
    def asked(self) -> list[int]:
        """The passages with questions."""
        return [i for i, questions in enumerate(self.questions) if questions]


def files_of(folder: Path, *, further: Path | None = None) -> list[Path]:
    """The passages of a folder, its questions, and further questions on those passages."""
    return [folder / "passages.jsonl", folder / "questions.jsonl", *([further] if further else [])]


def read(folder: Path, *, further: Path | None = None) -> Data:
    of_passages, *of_questions = files_of(folder, further=further)
    passages = lines(of_passages)
    index = {passage["id"]: i for i, passage in enumerate(passages)}
    questions: list[list[int]] = [[] for _ in passages]
    texts: list[str] = []
    answers: list[int] = []
    for row in (row for file in of_questions for row in lines(file)):
        passage = index[row["id"]]
        for kind in ("p", "r", "q"):
            if row.get(kind):
                questions[passage].append(len(texts))
                texts.append(row[kind])
                answers.append(passage)
    return Data(
        corpus=[passage["corpus"] for passage in passages],
        file=[passage["file"] for passage in passages],
        position=np.array([passage["position"] for passage in passages]),
        text=[passage["text"] for passage in passages],
        questions=questions,
        question_text=texts,
        answer=np.array(answers),
    )


def lines(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def tokenize(tokenizer: Path, texts: list[str], limit: int) -> list[np.ndarray]:
    encoder = Tokenizer.from_file(str(tokenizer))
    encoder.no_padding()
    encoder.enable_truncation(limit)
    return [np.array(encoding.ids) for encoding in encoder.encode_batch(texts)]


@dataclass
class Step:
    passages: list[int]
    """The answers, then the hard negatives, each once."""
    questions: list[int]
    allowed: np.ndarray
    """Whether a passage counts for a question: [questions, passages]. Copies and neighbours of the answer do not."""
    answers: np.ndarray
    """The place of each question's answer among `passages`."""


def steps(data: Data, negatives: list[np.ndarray], *, size: int, seed: int) -> list[Step]:
    """An epoch in steps of `size` passages of two corpora: those of one corpus are hard to tell apart."""
    random = np.random.default_rng(seed)
    wanted = round(len(data.asked) / size)
    made: list[Step] = []
    while len(made) < wanted:
        order = random.permutation(data.asked)
        halves: list[np.ndarray] = []
        for corpus in sorted(set(data.corpus)):
            members = [i for i in order if data.corpus[i] == corpus]
            halves += [np.array(members[i : i + size // 2]) for i in range(0, len(members) - size // 4, size // 2)]
        halves = [halves[i] for i in random.permutation(len(halves))]
        for first, second in zip(halves[::2], halves[1::2], strict=False):
            made.append(step(data, negatives, np.concatenate([first, second]), random))
    return made[:wanted]


def step(data: Data, negatives: list[np.ndarray], answers: np.ndarray, random: np.random.Generator) -> Step:
    passages = list(dict.fromkeys(int(i) for i in answers))
    questions: list[int] = []
    extra: list[int] = []
    for passage in passages:
        chosen = random.permutation(data.questions[passage])[:2]
        questions += [int(question) for question in chosen]
        pool = negatives[int(random.choice(chosen))]
        if len(pool):
            extra.append(int(random.choice(pool)))
    passages = list(dict.fromkeys(passages + extra))
    place = {passage: i for i, passage in enumerate(passages)}
    right = np.array([place[int(data.answer[question])] for question in questions])
    allowed = np.ones((len(questions), len(passages)), bool)
    for row, question in enumerate(questions):
        answer = int(data.answer[question])
        for column, passage in enumerate(passages):
            is_neighbour = data.file[passage] == data.file[answer] and data.corpus[passage] == data.corpus[answer]
            if passage == answer:
                continue
            if data.text[passage] == data.text[answer]:
                allowed[row, column] = False
            elif is_neighbour and abs(data.position[passage] - data.position[answer]) <= 1:
                allowed[row, column] = False
    return Step(passages, questions, allowed, right)

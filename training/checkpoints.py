"""The weights at the end of each epoch, from which an interrupted run continues."""

import hashlib
import json
from pathlib import Path

import numpy as np

Arrays = dict[str, np.ndarray]
"""The weights of a layer, by name."""


class Checkpoints:
    """Those of one run, in a folder that is named by its settings and by the files that it is made from. Every epoch
    starts with a new optimizer, so that a run that continues gives the model of one that was never interrupted."""

    def __init__(self, work: Path, *, settings: dict, files: list[Path]):
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        for file in files:
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        self.folder = work / f"epochs-{digest.hexdigest()[:12]}"

    def load(self) -> list[list[Arrays]]:
        """The layers at the end of each epoch that is complete."""
        ends: list[list[Arrays]] = []
        while (file := self.file(len(ends))).exists():
            with np.load(file) as stored:
                layers: list[Arrays] = [{} for _ in range(1 + max(int(key.split(" ")[0]) for key in stored))]
                for key in stored:
                    depth, name = key.split(" ")
                    layers[int(depth)][name] = stored[key]
            ends.append(layers)
        return ends

    def save(self, epoch: int, layers: list[Arrays]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        weights = {f"{depth} {name}": weight for depth, layer in enumerate(layers) for name, weight in layer.items()}
        unfinished = self.folder / "unfinished.npz"
        np.savez(unfinished, **weights)
        unfinished.rename(self.file(epoch))

    def discard(self) -> None:
        for file in self.folder.glob("*.npz"):
            file.unlink()
        self.folder.rmdir()

    def file(self, epoch: int) -> Path:
        return self.folder / f"{epoch + 1}.npz"

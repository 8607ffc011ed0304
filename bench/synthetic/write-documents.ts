import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SECTIONS, syntheticDocument } from './document.js';
import { corpusProse } from './prose.js';

/** Files a folder: more make some file systems slow. */
const TOGETHER = 1000;

export interface Documents {
  readonly passages: number;
  /** Passages of a file; the last may have fewer. */
  readonly sections?: number;
  /** Seed of the first file; each other has the next. */
  readonly first?: number;
}

/** Writes markdown files into a folder, over those of the same names. */
export function writeDocuments(folder: string, { passages, sections = SECTIONS, first = 0 }: Documents): void {
  const prose = corpusProse();
  for (let i = 0; i * sections < passages; i++) {
    const inside = path.join(folder, String(Math.floor(i / TOGETHER)));
    mkdirSync(inside, { recursive: true });
    const left = Math.min(sections, passages - i * sections);
    writeFileSync(path.join(inside, `${i}.md`), syntheticDocument(first + i, { prose, sections: left }));
  }
}

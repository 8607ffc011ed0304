import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SECTIONS, syntheticDocument } from './document.js';
import { corpusProse } from './prose.js';

/** Files per folder; more are slow in some file systems. */
const PER_FOLDER = 1000;

export interface Documents {
  readonly passages: number;
  /** Passages per file; the last file may have fewer. Defaults to 20. */
  readonly sections?: number;
  /** Seed of the first file; each further file has the next. Defaults to 0. */
  readonly first?: number;
}

/** Writes synthetic markdown files into a folder; existing files of the same names are overwritten. */
export function writeDocuments(folder: string, { passages, sections = SECTIONS, first = 0 }: Documents): void {
  const prose = corpusProse();
  for (let i = 0; i * sections < passages; i++) {
    const inside = path.join(folder, String(Math.floor(i / PER_FOLDER)));
    mkdirSync(inside, { recursive: true });
    const left = Math.min(sections, passages - i * sections);
    writeFileSync(path.join(inside, `${i}.md`), syntheticDocument(first + i, { prose, sections: left }));
  }
}

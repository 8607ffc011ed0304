import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exponentOf } from '../growth/exponent.js';
import { type Document, writePassages } from './documents.js';
import { wholeIndex } from './whole-index.js';

export interface Size {
  readonly passages: number;
  /** Of indexing, from the call. */
  readonly seconds: number;
  /** Of the database. */
  readonly bytes: number;
}

/** How indexing grows with the number of passages: 1 is in proportion. */
export interface Growth {
  readonly sizes: readonly Size[];
  readonly exponents: { readonly seconds: number | undefined; readonly bytes: number | undefined };
}

/** Indexes folders of so many passages each. */
export async function measureSizes(
  documents: readonly Document[],
  { sizes: wanted }: { readonly sizes: readonly number[] },
): Promise<Growth> {
  const sizes: Size[] = [];
  for (const passages of wanted) {
    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-size-'));
    try {
      await writePassages(folder, { documents, passages });
      const { seconds, bytes, passages: cut } = await wholeIndex(folder, { warm: false });
      sizes.push({ passages: cut, seconds, bytes });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const exponent = (of: 'seconds' | 'bytes') => exponentOf(sizes.map((size) => ({ x: size.passages, y: size[of] })));
  return { sizes, exponents: { seconds: exponent('seconds'), bytes: exponent('bytes') } };
}

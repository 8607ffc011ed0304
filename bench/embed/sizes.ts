import type { MarkdownFile } from '../support/corpus/markdown-files.js';
import { writeCopies } from '../support/corpus/write-copies.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { exponentOf } from '../support/statistics/exponent.js';
import { wholeIndex } from './whole-index.js';

export interface Size {
  readonly passages: number;
  /** Seconds of indexing. */
  readonly seconds: number;
  /** Size of the database. */
  readonly bytes: number;
}

/** How indexing grows with the number of passages. */
export interface Growth {
  readonly sizes: readonly Size[];
  /** 1 is proportional; undefined for a single size. */
  readonly exponents: { readonly seconds: number | undefined; readonly bytes: number | undefined };
}

/** Indexes folders of so many passages each. */
export async function measureSizes(
  files: readonly MarkdownFile[],
  { sizes: requested }: { readonly sizes: readonly number[] },
): Promise<Growth> {
  const sizes: Size[] = [];
  for (const count of requested) {
    await inTemporaryFolder(async (folder) => {
      await writeCopies(folder, { files, passages: count });
      const { seconds, bytes, passages } = await wholeIndex(folder, { warm: false });
      sizes.push({ passages, seconds, bytes });
    });
  }
  const exponent = (of: 'seconds' | 'bytes') => exponentOf(sizes.map((size) => ({ x: size.passages, y: size[of] })));
  return { sizes, exponents: { seconds: exponent('seconds'), bytes: exponent('bytes') } };
}

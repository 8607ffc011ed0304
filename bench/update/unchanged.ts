import { statSync } from 'node:fs';
import path from 'node:path';
import { createHashEmbedder, openEngine } from 'waymark';
import { readMarkdown } from '../support/corpus/markdown-files.js';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { median, timed } from '../support/statistics/latencies.js';
import { writeDocuments } from '../support/synthetic/write-documents.js';

export interface UnchangedResult {
  readonly files: number;
  /** Median of indexing the folder again. */
  readonly milliseconds: number;
  /** Median of the first `changes` of an engine. */
  readonly noticing: number;
  /** Median of the calls of `statSync` alone that this takes, one a file. */
  readonly stats: number;
  /** The most files, in any round, that were not reported as unchanged. */
  readonly touched: number;
}

/** Indexes a folder again whose files have not changed, each time with a new engine. */
export function measureUnchanged({ files, rounds }: { files: number; rounds: number }): Promise<UnchangedResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    writeDocuments(documents, { passages: files, sections: 1 });
    const places = readMarkdown(documents).map(({ key }) => path.join(documents, key));
    const open = () =>
      openEngine({ database: path.join(folder, 'waymark.db'), model: createHashEmbedder(), index: 'exact' });
    const times: number[] = [];
    const noticing: number[] = [];
    const stats: number[] = [];
    let touched = 0;
    // Two rounds come first: files that were written just before they were indexed are read once more.
    for (let round = -1; round <= rounds; round++) {
      const engine = await open();
      try {
        if (round > 0) {
          stats.push(await timed(async () => places.forEach((place) => void statSync(place))));
          noticing.push(await timed(() => engine.changes()));
        }
        const milliseconds = await timed(async () => {
          const { unchanged } = await engine.indexFolder(documents);
          if (round > 0) touched = Math.max(touched, files - unchanged);
        });
        if (round > 0) times.push(milliseconds);
      } finally {
        await engine.close();
      }
    }
    return { files, milliseconds: median(times), noticing: median(noticing), stats: median(stats), touched };
  });
}

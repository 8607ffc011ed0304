import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { createHashEmbedder, openEngine } from 'waymark';
import { quantile } from 'waymark/evaluation';
import { timed } from '../http/latencies.js';
import { writeDocuments } from '../synthetic/write-documents.js';
import { inTemporaryFolder } from './temporary-folder.js';

export interface UnchangedResult {
  readonly files: number;
  /** Median of indexing the folder again. */
  readonly milliseconds: number;
  /** Most files, in any round, that were not told as unchanged; they were parsed again, or lost. */
  readonly touched: number;
}

/** What it takes to find out that no file of a folder has changed; the engine is opened anew each time. */
export function measureUnchanged({ files, rounds }: { files: number; rounds: number }): Promise<UnchangedResult> {
  return inTemporaryFolder(async (folder) => {
    const documents = path.join(folder, 'documents');
    writeDocuments(documents, { passages: files, sections: 1 });
    // Files that were written a moment ago are read again the next time: these are an hour old.
    const old = Date.now() / 1000 - 3600;
    for (const name of readdirSync(documents, { recursive: true, encoding: 'utf8' })) {
      utimesSync(path.join(documents, name), old, old);
    }
    const open = () =>
      openEngine({ database: path.join(folder, 'waymark.db'), model: createHashEmbedder(), index: 'exact' });
    const times: number[] = [];
    let touched = 0;
    for (let round = 0; round <= rounds; round++) {
      const engine = await open();
      try {
        const milliseconds = await timed(async () => {
          const { unchanged } = await engine.indexFolder(documents);
          if (round > 0) touched = Math.max(touched, files - unchanged);
        });
        if (round > 0) times.push(milliseconds);
      } finally {
        await engine.close();
      }
    }
    return { files, milliseconds: quantile(times, 0.5), touched };
  });
}

import path from 'node:path';
import { inTemporaryFolder } from '../support/folders/temporary-folder.js';
import { replyOf, startProcess, stopProcess } from '../support/processes/node-process.js';
import { writeDocuments } from '../support/synthetic/write-documents.js';
import type { IndexReply, IndexTask } from './index-process.js';

/** What several processes that index into one bot at once achieve together. */
export interface Indexers {
  readonly processes: number;
  readonly passagesPerSecond: number;
}

/** Passages that each process indexes. */
const EACH = 2000;

/** Sections of a file, and with that its passages. */
const SECTIONS = 20;

/** Measures so many processes, each with files of its own and the embedder that hashes. */
export function measureIndexers(hosts: readonly string[], processes: number): Promise<Indexers> {
  return inTemporaryFolder(async (folder) => {
    const children = Array.from({ length: processes }, () =>
      startProcess(new URL('index-process.ts', import.meta.url)),
    );
    try {
      for (const [i, child] of children.entries()) {
        const own = path.join(folder, `part${i}`);
        writeDocuments(own, { passages: EACH, sections: SECTIONS, first: (i * EACH) / SECTIONS });
        const ready = replyOf<IndexReply>(child);
        child.send({ hosts, folder: own } satisfies IndexTask);
        await ready;
      }
      const started = performance.now();
      const done = children.map((child) => replyOf<IndexReply>(child));
      for (const child of children) child.send('start');
      await Promise.all(done);
      const seconds = (performance.now() - started) / 1000;
      return { processes, passagesPerSecond: (processes * EACH) / seconds };
    } finally {
      await Promise.all(children.map(stopProcess));
    }
  });
}

// A new process that indexes a folder, so that its peak is that of indexing. It pauses before the search to be
// measured.
import { openEmbedder, openEngine } from 'waymark';
import { hashVectors } from '../support/embedders/hash-vectors.js';

export type Model = 'hash' | 'bundled';

export interface IndexTask {
  readonly folder: string;
  readonly database: string;
  readonly model: Model;
}

export interface IndexDone {
  readonly passages: number;
  readonly seconds: number;
}

process.on('disconnect', () => process.exit());
process.once('message', async ({ folder, database, model }: IndexTask) => {
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ database, model: model === 'hash' ? hashVectors(embedder) : embedder });
  const started = performance.now();
  await engine.indexFolder(folder);
  const seconds = (performance.now() - started) / 1000;
  const { passages } = await engine.status();
  process.send?.({ passages, seconds } satisfies IndexDone);
  process.once('message', async () => {
    await engine.search('How are retries delayed?');
    process.send?.('searched');
  });
});

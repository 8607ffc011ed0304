// A process that indexes a folder into a bot of a cluster, as one of several machines would.
import { openEmbedder, openEngine } from 'waymark';
import { hashVectors } from '../support/embedders/hash-vectors.js';

export interface IndexTask {
  readonly hosts: readonly string[];
  readonly folder: string;
}

/** `ready` comes first: the model is loaded. Then any message starts the work. */
export type IndexReply = 'ready' | { readonly seconds: number };

process.on('disconnect', () => process.exit());
process.once('message', async ({ hosts, folder }: IndexTask) => {
  const { embedder } = await openEmbedder();
  const engine = await openEngine({ cluster: { hosts }, model: hashVectors(embedder) });
  process.once('message', async () => {
    const started = performance.now();
    await engine.indexFolder(folder);
    process.send?.({ seconds: (performance.now() - started) / 1000 } satisfies IndexReply);
  });
  process.send?.('ready' satisfies IndexReply);
});

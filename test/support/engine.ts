import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createHashEmbedder, type EngineOptions, openEngine, type SearchEngine } from 'waymark';
import { folderOf } from './folder.js';

/** An engine with the hash embedder over a new database, or the one given; closed when the test has finished. */
export async function engineOf(options: Partial<EngineOptions> = {}): Promise<SearchEngine> {
  const database = options.database ?? path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ model: createHashEmbedder(), ...options, database });
  onTestFinished(() => engine.close());
  return engine;
}

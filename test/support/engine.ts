import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createHashEmbedder, type EngineOptions, openEngine, type SearchEngine } from 'waymark';
import { folderOf } from './folder.js';

/** An engine that is closed when the test finishes. Defaults to the hash embedder and a new database. */
export async function engineOf(options: Partial<EngineOptions> = {}): Promise<SearchEngine> {
  const database = options.database ?? path.join(folderOf(), 'waymark.db');
  const engine = await openEngine({ model: createHashEmbedder(), ...options, database });
  onTestFinished(() => engine.close());
  return engine;
}

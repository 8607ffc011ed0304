import { onTestFinished } from 'vitest';
import { createHashEmbedder, type EngineOptions, openEngine, type SearchEngine } from 'waymark';
import { ownPlace } from './place.js';

/** An engine that is closed when the test finishes. Defaults to the hash embedder and a place of its own. */
export async function engineOf(options: Partial<EngineOptions> = {}): Promise<SearchEngine> {
  const place = options.database === undefined && options.cluster === undefined ? await ownPlace() : {};
  const engine = await openEngine({ model: createHashEmbedder(), ...place, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

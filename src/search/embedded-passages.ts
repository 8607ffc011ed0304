import { type EmbeddedPassagesOptions, validateEmbeddedPassages } from '../contract/engine/search.js';
import type { EmbeddedPassage } from '../domain/passage.js';
import type { ReadablePassages } from '../storage/passage-store.js';

/** `embeddedPassages` of an engine, from its store. Throws `INVALID_ARGUMENT`. */
export async function embeddedPassages(
  options: EmbeddedPassagesOptions,
  store: ReadablePassages,
): Promise<readonly EmbeddedPassage[]> {
  return store.embedded(validateEmbeddedPassages(options));
}

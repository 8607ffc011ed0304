import path from 'node:path';
import { MODEL_FOLDER } from '../support/folders/paths.js';

/** Token ids of texts, with special tokens, by the tokenizer of the bundled model. */
export async function tokenIdsOf(texts: readonly string[]): Promise<number[][]> {
  // Imported on demand: it loads sharp and two runtimes.
  const { AutoTokenizer, env } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(MODEL_FOLDER);
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(MODEL_FOLDER));
  return texts.map((text) => tokenizer.encode(text));
}

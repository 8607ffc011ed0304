import path from 'node:path';
import { MODEL_FOLDER } from './model-folder.js';

/** The token ids of texts, special ones included, as the bundled model's tokenizer gives them. */
export async function tokenIdsOf(texts: readonly string[]): Promise<number[][]> {
  // Only when needed: it brings sharp and two runtimes with it.
  const { AutoTokenizer, env } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  env.localModelPath = path.dirname(MODEL_FOLDER);
  const tokenizer = await AutoTokenizer.from_pretrained(path.basename(MODEL_FOLDER));
  return texts.map((text) => tokenizer.encode(text));
}

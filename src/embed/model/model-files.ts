import { statSync } from 'node:fs';
import path from 'node:path';

/** The weights, relative to a model folder. */
export const WEIGHTS = path.join('onnx', 'model_quantized.onnx');

/** The files of a model folder that embeddings depend on. */
const EMBEDDING_FILES = ['tokenizer.json', 'tokenizer_config.json', WEIGHTS];

/**
 * Size, modification time and inode of the files that embeddings depend on. If it differs from when the fingerprint was
 * computed, the files may be those of another model.
 */
export function fileStateOf(folder: string): string {
  const states = EMBEDDING_FILES.map((file) => {
    const { size, mtimeMs, ino } = statSync(path.join(folder, file));
    return [size, mtimeMs, ino];
  });
  return JSON.stringify(states);
}

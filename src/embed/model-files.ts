import { statSync } from 'node:fs';
import path from 'node:path';

export const WEIGHTS = path.join('onnx', 'model_quantized.onnx');

/** What embeddings depend on, of a model's folder. */
export const MODEL_FILES = ['tokenizer.json', 'tokenizer_config.json', WEIGHTS] as const;

/** Sizes and times of a model's files: others than when its fingerprint was taken are those of another model. */
export function stateOfFiles(folder: string): string {
  const states = MODEL_FILES.map((file) => {
    const { size, mtimeMs, ino } = statSync(path.join(folder, file));
    return [size, mtimeMs, ino];
  });
  return JSON.stringify(states);
}

import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../../domain/errors.js';

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

/** Reads a JSON object; an empty one if the file does not exist. Throws `MODEL_INVALID`. */
export async function readJson(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw unreadable(`${file} cannot be read as a JSON object`, cause);
  }
}

/** `MODEL_INVALID`: `what` names the file and what failed. */
export function unreadable(what: string, cause: unknown): WaymarkError {
  const reason =
    cause instanceof z.ZodError || !(cause instanceof Error) ? 'it contains something else' : cause.message;
  return new WaymarkError(
    'MODEL_INVALID',
    `${what} (${reason}): try again, or restore the file from the model's source.`,
    { cause },
  );
}

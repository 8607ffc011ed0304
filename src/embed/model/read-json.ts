import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { WaymarkError } from '../../domain/errors.js';
import { z } from '../../domain/zod.js';

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

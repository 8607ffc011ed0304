import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Abortable } from '../../domain/abortable.js';
import { WaymarkError } from '../../domain/errors.js';
import type { ModelCard } from '../embedder.js';
import { fingerprintOf } from './fingerprint.js';
import { CARD_FILE, readCardFields } from './model-card.js';
import { fileStateOf, WEIGHTS } from './model-files.js';

/** The fields of a model card that a caller or a `model-card.json` may state; the rest is computed. */
export type CardFields = Omit<ModelCard, 'id' | 'fingerprint'>;

const REQUIRED_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS];

/** A model on disk whose card is known; nothing of it is loaded. */
export interface Model {
  /** Absolute path of a folder in Transformers.js layout. */
  readonly folder: string;
  readonly card: ModelCard;
  /** Result of `fileStateOf` when the card's fingerprint was computed. */
  readonly fileState: string;
}

/**
 * Reads the card of the model in a folder. Each field comes from the first of these that states it: `given`,
 * `model-card.json`, the model's family, the files of Transformers and sentence-transformers. `id` defaults to the
 * folder's name, `runtime` to the installed version of onnxruntime-node. Throws `MODEL_MISSING`,
 * `MODEL_INVALID`, `ABORTED`.
 */
export async function readModel(
  folder: string,
  options: Abortable & { id?: string; given?: Partial<CardFields>; runtime?: string } = {},
): Promise<Model> {
  const absolute = path.resolve(folder);
  const id = options.id ?? path.basename(absolute);
  for (const file of REQUIRED_FILES) {
    if (existsSync(path.join(absolute, file))) continue;
    throw new WaymarkError(
      'MODEL_MISSING',
      `No model in ${absolute}: ${file} is missing. ` +
        `Pass a folder in Transformers.js layout (${REQUIRED_FILES.join(', ')}).`,
    );
  }
  const fields = { ...(await readCardFields(absolute, id)), ...options.given };
  const { dimensions, pooling, maxTokens, queryPrefix = '', passagePrefix = '', similarity } = fields;
  if (dimensions === undefined || pooling === undefined || maxTokens === undefined) {
    throw new WaymarkError(
      'MODEL_INVALID',
      `${id} does not state its dimensions, pooling and maxTokens: write them to ${path.join(absolute, CARD_FILE)}, ` +
        'for example {"dimensions":384,"pooling":"mean","queryPrefix":"","maxTokens":512}.',
    );
  }
  // Before the files are hashed, so that a file replaced meanwhile is noticed as well.
  const fileState = fileStateOf(absolute);
  const fingerprint = await fingerprintOf(
    absolute,
    { pooling, passagePrefix, maxTokens },
    { runtime: options.runtime, signal: options.signal },
  );
  const card = { id, dimensions, pooling, queryPrefix, passagePrefix, maxTokens, fingerprint };
  return { folder: absolute, card: { ...card, ...(similarity && { similarity }) }, fileState };
}

import path from 'node:path';
import { validate } from '../../contract/validate.js';
import { WaymarkError } from '../../domain/errors.js';
import { z } from '../../domain/zod.js';
import { cardFields } from './card-fields.js';
import { readJson } from './read-json.js';

/** The name of the file in which a model folder states its card. */
export const CARD_FILE = 'model-card.json';

const cardSchema = z.object(cardFields).partial();

type KnownFields = z.infer<typeof cardSchema>;

/** Card fields of well-known models that their web pages state, but their files do not. */
const FAMILIES: readonly (readonly [name: RegExp, fields: KnownFields])[] = [
  [/all-minilm-l(6|12)-v2/i, { pooling: 'mean', maxTokens: 256 }],
  [
    /bge-(small|base|large)-en-v1\.5/i,
    { pooling: 'cls', queryPrefix: 'Represent this sentence for searching relevant passages: ' },
  ],
  [/(^|[-/])e5-(small|base|large)/i, { pooling: 'mean', queryPrefix: 'query: ', passagePrefix: 'passage: ' }],
  [/(^|[-/])gte-(small|base|large)/i, { pooling: 'mean' }],
];

/**
 * Collects the card fields of a model folder. `model-card.json` takes precedence over the model family that `id` names,
 * which takes precedence over the files of Transformers and sentence-transformers. Throws `MODEL_INVALID`.
 */
export async function readCardFields(folder: string, id: string): Promise<KnownFields> {
  const family = FAMILIES.find(([name]) => name.test(id))?.[1];
  return { ...(await readConfigFiles(folder)), ...family, ...(await readCardFile(folder)) };
}

async function readCardFile(folder: string): Promise<KnownFields> {
  const file = path.join(folder, CARD_FILE);
  const fields = await readJson(file);
  try {
    return validate(cardSchema, fields);
  } catch (cause) {
    if (!(cause instanceof WaymarkError)) throw cause;
    throw new WaymarkError('MODEL_INVALID', `${file}: ${cause.message} Correct it or remove it.`, { cause });
  }
}

async function readConfigFiles(folder: string): Promise<KnownFields> {
  const config = await readJson(path.join(folder, 'config.json'));
  const tokenizer = await readJson(path.join(folder, 'tokenizer_config.json'));
  const sentence = await readJson(path.join(folder, 'sentence_bert_config.json'));
  const pooling = await readJson(path.join(folder, '1_Pooling', 'config.json'));
  const limits = [config.max_position_embeddings, tokenizer.model_max_length, sentence.max_seq_length];
  const maxTokens = Math.min(...limits.filter((limit) => typeof limit === 'number'));
  return {
    ...(typeof config.hidden_size === 'number' && { dimensions: config.hidden_size }),
    ...(Number.isFinite(maxTokens) && { maxTokens }),
    ...(pooling.pooling_mode_cls_token === true && { pooling: 'cls' as const }),
    ...(pooling.pooling_mode_mean_tokens === true && { pooling: 'mean' as const }),
  };
}

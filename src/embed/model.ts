import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../domain/errors.js';
import type { ModelCard } from './embedder.js';
import { stateOfFiles, WEIGHTS } from './model-files.js';

/** The part of a card that a person may write: the rest is read off the files. */
export type CardFields = Omit<ModelCard, 'id' | 'fingerprint'>;

/** A model on disk, ready to be loaded. */
export interface Model {
  /** Absolute path of a folder in Transformers.js layout. */
  readonly folder: string;
  readonly card: ModelCard;
  /** Of its files when the card's fingerprint was taken, as `stateOfFiles` tells it. */
  readonly state: string;
}

const CARD_FILE = 'model-card.json';

const cardSchema = z
  .object({
    dimensions: z.int().positive(),
    pooling: z.enum(['cls', 'mean']),
    queryPrefix: z.string(),
    passagePrefix: z.string(),
    maxTokens: z.int().min(16),
    similarity: z
      .object({ unrelated: z.number().min(-1).max(1), related: z.number().min(-1).max(1) })
      .refine(({ unrelated, related }) => unrelated < related, 'related must be above unrelated'),
  })
  .partial();

/** What the models' own pages say and their files do not. */
const FAMILIES: readonly (readonly [RegExp, z.infer<typeof cardSchema>])[] = [
  [/all-minilm-l(6|12)-v2/i, { pooling: 'mean', maxTokens: 256 }],
  [
    /bge-(small|base|large)-en-v1\.5/i,
    { pooling: 'cls', queryPrefix: 'Represent this sentence for searching relevant passages: ' },
  ],
  [/(^|[-/])e5-(small|base|large)/i, { pooling: 'mean', queryPrefix: 'query: ', passagePrefix: 'passage: ' }],
  [/(^|[-/])gte-(small|base|large)/i, { pooling: 'mean' }],
];

/**
 * The model in a folder. Its card is, field by field: what `given` says, `model-card.json`, what is known of its
 * family, the files that sentence-transformers writes. `runtime` is the version installed unless given. Throws `MODEL_MISSING`, `MODEL_INVALID`.
 */
export async function readModel(
  folder: string,
  options?: { id?: string; given?: Partial<CardFields>; runtime?: string },
): Promise<Model> {
  const absolute = path.resolve(folder);
  const id = options?.id ?? path.basename(absolute);
  for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS]) {
    if (existsSync(path.join(absolute, file))) continue;
    throw new WaymarkError(
      'MODEL_MISSING',
      `No model in ${absolute}: ${file} is missing. Give a folder in Transformers.js layout (config.json, tokenizer.json, tokenizer_config.json, ${WEIGHTS}).`,
    );
  }
  const family = FAMILIES.find(([pattern]) => pattern.test(id))?.[1];
  const fields = { ...(await readFields(absolute)), ...family, ...(await readCard(absolute)), ...options?.given };
  const { dimensions, pooling, maxTokens } = fields;
  if (dimensions === undefined || pooling === undefined || maxTokens === undefined) {
    throw new WaymarkError(
      'MODEL_INVALID',
      `${id} does not say its dimensions, pooling and maxTokens: write them into ${path.join(absolute, CARD_FILE)}, for example {"dimensions":384,"pooling":"mean","queryPrefix":"","maxTokens":512}.`,
    );
  }
  const { queryPrefix = '', passagePrefix = '', similarity } = fields;
  // Before the files are read: one that is replaced meanwhile is noticed, too.
  const state = stateOfFiles(absolute);
  const settings = JSON.stringify([pooling, passagePrefix, maxTokens]);
  const fingerprint = await fingerprintOf(absolute, { settings, runtime: options?.runtime ?? installedRuntime() });
  const card = { id, dimensions, pooling, queryPrefix, passagePrefix, maxTokens, fingerprint };
  return { folder: absolute, card: { ...card, ...(similarity && { similarity }) }, state };
}

async function readCard(folder: string): Promise<z.infer<typeof cardSchema>> {
  const file = path.join(folder, CARD_FILE);
  const parsed = cardSchema.safeParse(await readJson(file));
  if (parsed.success) return parsed.data;
  throw new WaymarkError('MODEL_INVALID', `${file} is no model card: ${z.prettifyError(parsed.error)}`);
}

/** The fields that Transformers and sentence-transformers files tell. */
async function readFields(folder: string): Promise<z.infer<typeof cardSchema>> {
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

/** An object, empty where there is no such file. */
async function readJson(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw unreadable(`${file} cannot be read as a JSON object`, cause);
  }
}

function unreadable(what: string, cause: unknown): WaymarkError {
  const reason = cause instanceof z.ZodError || !(cause instanceof Error) ? 'it is something else' : cause.message;
  return new WaymarkError('MODEL_INVALID', `${what} (${reason}): try again, or restore it from the model's source.`, {
    cause,
  });
}

/**
 * The runtime that the first fingerprints were made with: it is not part of them, so that they stay as they are. Any
 * other is, since an int8 model's vectors move with the kernels that compute them.
 */
const FIRST_RUNTIME = '1.14.0';

/** Fields of tokenizer_config.json that tokens depend on, beside tokenizer.json; BERT's tokenizer came first. */
const TOKENIZER_FIELDS = ['tokenizer_class', 'do_lowercase_and_remove_accent', 'remove_space', 'legacy'] as const;
const FIRST_TOKENIZER = { tokenizer_class: 'BertTokenizer' };

async function fingerprintOf(
  folder: string,
  { settings, runtime }: { settings: string; runtime: string },
): Promise<string> {
  const hash = createHash('sha256').update(settings);
  if (runtime !== FIRST_RUNTIME) hash.update(`\0onnxruntime-node ${runtime}`);
  const config = await readJson(path.join(folder, 'tokenizer_config.json'));
  const tokenizer = JSON.stringify(config, [...TOKENIZER_FIELDS].sort());
  if (tokenizer !== JSON.stringify(FIRST_TOKENIZER)) hash.update(`\0tokenizer ${tokenizer}`);
  for (const name of ['tokenizer.json', WEIGHTS]) {
    const file = path.join(folder, name);
    try {
      for await (const bytes of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(bytes as Buffer);
    } catch (cause) {
      throw unreadable(`${file} cannot be read`, cause);
    }
  }
  return hash.digest('hex');
}

/** Version of the library that computes. */
function installedRuntime(): string {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json');
  return version;
}

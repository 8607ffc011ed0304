// One process: one tokenizer, one single-threaded session, one text a run (batching gains nothing on a CPU, and a
// quantised model gives a text another vector in other company). Started by process-pool.
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import ort from 'onnxruntime-node';
import type { ModelCard } from './embedder.js';
import { stateOfFiles, WEIGHTS } from './model-files.js';
import { meanOf, pool } from './pooling.js';
import { loadTokenizer } from './tokenizer.js';
import type { Encode } from './word-tokens.js';

/** What the process is started with, as JSON. */
export interface ProcessModel {
  readonly folder: string;
  readonly card: ModelCard;
  /** As `stateOfFiles` told it when the model was opened. */
  readonly state: string;
}

export interface Job {
  readonly id: number;
  readonly kind: 'passage' | 'query' | 'count';
  readonly text: string;
}

export type Outcome =
  | { readonly id: number; readonly embedding: Float32Array }
  | { readonly id: number; readonly tokens: number }
  | { readonly id: number; readonly tooLong: number }
  | { readonly id: number; readonly error: unknown };

/** Sent once: the model is loaded, or it cannot be and the process ends. */
export type Start = { readonly loaded: true } | { readonly unloadable: unknown };

const { folder, card, state } = JSON.parse(process.argv[2] ?? '') as ProcessModel;

class LoadedModel {
  readonly #encode: Encode;
  readonly #session;

  constructor(encode: Encode, session: ort.InferenceSession) {
    this.#encode = encode;
    this.#session = session;
  }

  static async load(): Promise<LoadedModel> {
    const session = await ort.InferenceSession.create(path.join(folder, WEIGHTS), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // With texts of all lengths the arena grows without end (from 90 to 880 MB).
      enableCpuMemArena: false,
      enableMemPattern: false,
    });
    const encode = await loadTokenizer(folder);
    if (stateOfFiles(folder) !== state)
      throw new Error('its files are not those that it was opened with: open it again');
    return new LoadedModel(encode, session);
  }

  async run({ id, kind, text }: Job): Promise<Outcome> {
    try {
      if (kind === 'query') return { id, embedding: await this.#embedQuery(text) };
      const ids = this.#encode(kind === 'passage' ? card.passagePrefix + text : text);
      if (kind === 'count') return { id, tokens: ids.length };
      return ids.length > card.maxTokens ? { id, tooLong: ids.length } : { id, embedding: await this.#embed(ids) };
    } catch (error) {
      return { id, error };
    }
  }

  async #embedQuery(text: string): Promise<Float32Array> {
    const ids = this.#encode(card.queryPrefix + text);
    if (ids.length <= card.maxTokens || text.length < 2) return this.#embed(ids.slice(0, card.maxTokens));
    const half = Math.floor(text.length / 2);
    const space = text.lastIndexOf(' ', half);
    const cut = space > 0 ? space : half;
    return meanOf([await this.#embedQuery(text.slice(0, cut)), await this.#embedQuery(text.slice(cut).trimStart())]);
  }

  async #embed(ids: readonly number[]): Promise<Float32Array> {
    const feeds: Record<string, ort.Tensor> = {};
    for (const name of this.#session.inputNames)
      feeds[name] = new ort.Tensor('int64', inputOf(name, ids), [1, ids.length]);
    const output = (await this.#session.run(feeds))[this.#session.outputNames[0] ?? ''];
    const dimensions = output?.dims[2];
    if (!output || dimensions !== card.dimensions) {
      throw new Error(`the model gives ${dimensions} dimensions and its card says ${card.dimensions}`);
    }
    return pool(output.data as Float32Array, dimensions, card.pooling);
  }
}

function inputOf(name: string, ids: readonly number[]): BigInt64Array {
  if (name === 'input_ids') return BigInt64Array.from(ids, BigInt);
  if (name === 'attention_mask') return new BigInt64Array(ids.length).fill(1n);
  if (name === 'token_type_ids') return new BigInt64Array(ids.length);
  throw new Error(`the model wants an input "${name}"`);
}

// Ctrl-C reaches every process of the terminal: when this one ends is for its parent to say.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
const loading = LoadedModel.load();
loading.then(
  () => process.send?.({ loaded: true } satisfies Start),
  (unloadable: unknown) => process.send?.({ unloadable } satisfies Start, () => process.exit()),
);

const urgent: Job[] = [];
const passages: Job[] = [];
let working = false;
process.on('message', (job: Job) => {
  (job.kind === 'passage' ? passages : urgent).push(job);
  // It fails where the model cannot be loaded: that is told already.
  if (!working) work().catch(() => {});
});

/** Does what is there, one after the other; what has come meanwhile is looked at before each, so that queries go first. */
async function work(): Promise<void> {
  working = true;
  const model = await loading;
  for (let job = next(); job; job = next()) {
    process.send?.(await model.run(job));
    await setImmediate();
  }
  working = false;
}

function next(): Job | undefined {
  return urgent.shift() ?? passages.shift();
}

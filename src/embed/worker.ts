// One worker thread: one tokenizer, one single-threaded session, one text a run (facts: batching gains nothing on a CPU,
// and a quantised model gives a text another vector in other company).
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import type { ModelCard } from './embedder.js';
import { meanOf, pool } from './pooling.js';
import { loadTokenizer } from './tokenizer.js';

export interface WorkerModel {
  readonly folder: string;
  readonly card: ModelCard;
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

const { folder, card } = workerData as WorkerModel;
const port = parentPort;
if (!port) throw new Error('embed/worker is started by embed/transformers');

const tokenizer = await loadTokenizer(folder);
const session = await ort.InferenceSession.create(path.join(folder, 'onnx', 'model_quantized.onnx'), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // With texts of all lengths the arena grows without end (facts: 90 to 880 MB).
  enableCpuMemArena: false,
  enableMemPattern: false,
});

async function embed(ids: readonly number[]): Promise<Float32Array> {
  const dims = [1, ids.length];
  const all: Record<string, () => BigInt64Array> = {
    input_ids: () => BigInt64Array.from(ids, BigInt),
    attention_mask: () => new BigInt64Array(ids.length).fill(1n),
    token_type_ids: () => new BigInt64Array(ids.length),
  };
  const feeds: Record<string, ort.Tensor> = {};
  for (const name of session.inputNames) {
    const make = all[name];
    if (!make) throw new Error(`the model wants an input "${name}"`);
    feeds[name] = new ort.Tensor('int64', make(), dims);
  }
  const output = (await session.run(feeds))[session.outputNames[0] ?? ''];
  const dimensions = output?.dims[2];
  if (!output || dimensions !== card.dimensions) {
    throw new Error(`the model gives ${dimensions} dimensions and its card says ${card.dimensions}`);
  }
  return pool(output.data as Float32Array, dimensions, card.pooling);
}

async function embedQuery(text: string): Promise<Float32Array> {
  const ids = tokenizer.encode(card.queryPrefix + text);
  if (ids.length <= card.maxTokens || text.length < 2) return embed(ids.slice(0, card.maxTokens));
  const half = Math.floor(text.length / 2);
  const space = text.lastIndexOf(' ', half);
  const cut = space > 0 ? space : half;
  return meanOf([await embedQuery(text.slice(0, cut)), await embedQuery(text.slice(cut).trimStart())]);
}

async function run({ id, kind, text }: Job): Promise<Outcome> {
  try {
    if (kind === 'query') return { id, embedding: await embedQuery(text) };
    const ids = tokenizer.encode(kind === 'passage' ? card.passagePrefix + text : text);
    if (kind === 'count') return { id, tokens: ids.length };
    return ids.length > card.maxTokens ? { id, tooLong: ids.length } : { id, embedding: await embed(ids) };
  } catch (error) {
    return { id, error };
  }
}

port.on('message', async (job: Job) => {
  const outcome = await run(job);
  port.postMessage(outcome, 'embedding' in outcome ? [outcome.embedding.buffer as ArrayBuffer] : []);
});

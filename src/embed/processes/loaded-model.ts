import path from 'node:path';
import ort from 'onnxruntime-node';
import type { ModelCard } from '../embedder.js';
import type { Model } from '../model/model.js';
import { fileStateOf, WEIGHTS } from '../model/model-files.js';
import { meanOf, pool } from '../pooling.js';
import { loadTokenizer } from '../tokenizer.js';
import type { Encode } from '../word-tokens.js';
import type { Job, Outcome } from './protocol.js';

/**
 * A tokenizer and a single-threaded session, which runs one unpadded text at a time: batches are no faster on a CPU,
 * and with a quantised model a text's vector would depend on the other texts of its batch.
 */
export class LoadedModel {
  readonly #card: ModelCard;
  readonly #encode: Encode;
  readonly #session: ort.InferenceSession;

  private constructor(card: ModelCard, encode: Encode, session: ort.InferenceSession) {
    this.#card = card;
    this.#encode = encode;
    this.#session = session;
  }

  /** Throws if the files have changed since the model was opened: they would not match its fingerprint. */
  static async load({ folder, card, fileState }: Model): Promise<LoadedModel> {
    const session = await ort.InferenceSession.create(path.join(folder, WEIGHTS), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // With texts of varying length the arena keeps growing (from 90 to 880 MB).
      enableCpuMemArena: false,
      enableMemPattern: false,
    });
    const encode = await loadTokenizer(folder);
    if (fileStateOf(folder) !== fileState) throw new Error('its files have changed since it was opened: reopen it');
    return new LoadedModel(card, encode, session);
  }

  async run({ id, kind, text }: Job): Promise<Outcome> {
    const { passagePrefix, maxTokens } = this.#card;
    try {
      if (kind === 'query') return { id, embedding: await this.#embedQuery(text) };
      const ids = this.#encode(kind === 'passage' ? passagePrefix + text : text);
      if (kind === 'count') return { id, tokens: ids.length };
      return ids.length > maxTokens ? { id, tooLong: ids.length } : { id, embedding: await this.#embed(ids) };
    } catch (error) {
      return { id, error };
    }
  }

  /** Halves a query that is too long, at a space if there is one, until its parts fit. */
  async #embedQuery(text: string): Promise<Float32Array> {
    const { queryPrefix, maxTokens } = this.#card;
    const ids = this.#encode(queryPrefix + text);
    if (ids.length <= maxTokens || text.length < 2) return this.#embed(ids.slice(0, maxTokens));
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
    if (!output || dimensions !== this.#card.dimensions) {
      throw new Error(`the model returns ${dimensions} dimensions but its card states ${this.#card.dimensions}`);
    }
    return pool(output.data as Float32Array, dimensions, this.#card.pooling);
  }
}

function inputOf(name: string, ids: readonly number[]): BigInt64Array {
  if (name === 'input_ids') return BigInt64Array.from(ids, BigInt);
  if (name === 'attention_mask') return new BigInt64Array(ids.length).fill(1n);
  if (name === 'token_type_ids') return new BigInt64Array(ids.length);
  throw new Error(`the model requires an unknown input "${name}"`);
}

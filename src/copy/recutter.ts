import type { Abortable } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import type { SimilarityScale } from '../domain/similarity-scale.js';
import type { Embedder } from '../embed/embedder.js';
import { type ModelSource, openEmbedder } from '../embed/open-embedder.js';
import { closeAll } from '../engine/close-all.js';
import { cuttingOf } from '../engine/cutting-options.js';
import { isFormerDefault, sourceOf } from '../engine/models/recorded-model.js';
import { Parsers } from '../engine/parsers.js';
import { formats } from '../formats/formats.js';
import type { CuttingOptions } from '../formats/parser.js';
import { readPipeline } from '../indexing/pipeline.js';
import { givenPassages, positioned } from '../indexing/set-passages.js';
import type { FileState } from '../storage/copies.js';
import type { PassageToPut } from '../storage/passage-store.js';
import type { GivenCut } from '../storage/staged-files.js';
import type { ModelRecord } from '../storage/storage.js';

/**
 * Cuts texts again with the settings that they were cut with. No store keeps everything that another one needs of a
 * passage: a database keeps no embedded texts, and a cluster keeps only the stems of words. Both are derived from the
 * text and the tokenizer of the model.
 */
export class Recutter {
  readonly #embedder: Embedder;
  readonly #parsers: Parsers;
  readonly #isOwn: boolean;
  /** The settings for files whose own are not known. */
  readonly #defaults: CuttingOptions;

  private constructor(embedder: Embedder, { isOwn }: { readonly isOwn: boolean }) {
    this.#embedder = embedder;
    this.#parsers = new Parsers(embedder);
    this.#isOwn = isOwn;
    this.#defaults = cuttingOf({}, embedder.card);
  }

  /**
   * For files that a model has embedded. `given` opens one that was passed as an object. Throws `MODEL_…`, and
   * `ABORTED` while it is fetched.
   */
  static async open(
    recorded: ModelRecord,
    { bot, given, signal }: Abortable & { readonly bot: string; readonly given: ModelSource | undefined },
  ): Promise<Recutter> {
    if (isFormerDefault(recorded)) {
      const message =
        `The files of bot "${bot}" were embedded with ${recorded.id}, the default model of an earlier version: ` +
        `index them once, with waymark index --bot '${bot}', then copy again.`;
      throw new WaymarkError('MODEL_MISMATCH', message);
    }
    const source = sourceOf(recorded) ?? given;
    if (source === undefined) {
      const message =
        `The files of bot "${bot}" were embedded with ${recorded.id}, an embedder that a program passed: copy them ` +
        'from that program, with copyDatabase of the library and the embedder as its model.';
      throw new WaymarkError('MODEL_MISSING', message);
    }
    const { embedder, location } = await openEmbedder(source, { signal });
    return new Recutter(embedder, { isOwn: location !== undefined });
  }

  /** The scale of the model's similarities, if its card has one. */
  get similarity(): SimilarityScale | undefined {
    return this.#embedder.card.similarity;
  }

  /** The passages of a file. `cuts` returns where a caller has cut it. Throws `INVALID_ARGUMENT`, `PARSER_FAILED`. */
  async passages(
    { key, pipeline, passages }: FileState,
    { text, cuts }: { readonly text: string; readonly cuts: () => Promise<readonly GivenCut[]> },
  ): Promise<readonly PassageToPut[]> {
    if (passages === 0) return [];
    const read = readPipeline(pipeline);
    if (!read) return this.#given(key, { text, cuts: await cuts() });
    const contentType = read.contentType ?? undefined;
    const cutting = Number.isInteger(read.cutting.budget) ? read.cutting : this.#defaults;
    const format = formats.ofText({ key, contentType });
    return (await this.#parsers.of(cutting).parse(text, { key, format })).passages;
  }

  async close(): Promise<void> {
    // An embedder that was passed as an object stays open.
    await closeAll([() => this.#parsers.close(), () => this.#isOwn && this.#embedder.close()]);
  }

  #given(key: string, { text, cuts }: { readonly text: string; readonly cuts: readonly GivenCut[] }) {
    const { id, maxTokens } = this.#embedder.card;
    return positioned(givenPassages(text, cuts), {
      embedder: this.#embedder,
      parser: this.#parsers.of(this.#defaults),
      refusal: ({ number, tokens }) => {
        const message = `Passage ${number} of "${key}" has ${tokens} tokens, and ${id} reads ${maxTokens}.`;
        return new WaymarkError('TEXT_TOO_LONG', message);
      },
    });
  }
}

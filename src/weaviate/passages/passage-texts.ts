import type { PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import { PAGE, pagesOf } from '../connection/cluster.js';
import { CommonRequests } from '../connection/common-requests.js';
import type { StoredObject } from '../connection/stored-object.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Writes } from '../files/writes.js';
import { quoted } from '../schema/quoted.js';
import { numberOfText, passageObjectId } from './passage-object.js';
import type { FoundPassage, PassageObjects } from './passage-objects.js';

/** Texts whose passages are read or written at once, with their vectors. */
const AT_ONCE = 200;

/** Embeddings that are kept of files that are replaced or removed: 30 MB. What is not kept is embedded again. */
const MOST_KEPT = 20_000;

/** Texts that are looked up together. */
const LOOKUPS = { items: AT_ONCE, running: 2 };

/** What is known of a text. */
export interface KnownText {
  /** Stored or kept. */
  readonly embedding: Float32Array | undefined;
  /** Whether a passage may wait for the embedding. */
  readonly isPending: boolean;
}

/** The texts of passages, with and without embeddings. A text is embedded once, however many passages have it. */
export class PassageTexts {
  readonly #objects: PassageObjects;
  readonly #heads: FileHeads;
  readonly #writes: Writes;
  /** Embeddings for puts to come, by text. */
  readonly #kept = new Map<string, Float32Array>();

  readonly #known = new CommonRequests((texts: readonly string[]) => this.#lookUp(texts), LOOKUPS);

  constructor(objects: PassageObjects, files: { readonly heads: FileHeads; readonly writes: Writes }) {
    this.#objects = objects;
    this.#heads = files.heads;
    this.#writes = files.writes;
  }

  /** Keeps embeddings for puts by this process. */
  keep(embeddings: ReadonlyMap<string, Float32Array>): void {
    for (const [text, embedding] of embeddings) this.#kept.set(text, embedding);
  }

  /**
   * Keeps the embeddings of a generation that is about to be removed: its texts may be those of a file that is put
   * later in this run.
   */
  async keepOf({ generation, passages }: Pick<FileHead, 'generation' | 'passages'>): Promise<void> {
    if (generation === null) return;
    const ids = Array.from({ length: passages }, (_, position) => passageObjectId(generation, position));
    for (const page of pagesOf(ids, AT_ONCE)) {
      if (this.#kept.size > MOST_KEPT) return;
      const found = await this.#objects.trip((of) =>
        this.#objects.where(of, of.filter.byId().containsAny([...page]), {
          ...{ properties: ['embeddedText'], withVectors: true },
        }),
      );
      for (const { properties, vector } of found) {
        if (vector) this.#kept.set(properties.embeddedText, Float32Array.from(vector));
      }
    }
  }

  /** Forgets what was kept. */
  dropKept(): void {
    this.#kept.clear();
  }

  /** What is known of some texts, by text; those that no passage has are missing. */
  async known(texts: readonly string[]): Promise<Map<string, KnownText>> {
    const known = new Map<string, KnownText>();
    await Promise.all(
      Array.from(new Set(texts), async (text) => {
        const kept = this.#kept.get(text);
        const found = kept ? { embedding: kept, isPending: true } : await this.#known.ask(text);
        if (found) known.set(text, found);
      }),
    );
    return known;
  }

  /** As `PendingTexts.pending`. */
  async pending({ after, limit, key }: PendingPage): Promise<PendingText[]> {
    const texts = new Map<number, string>();
    for (let last = after; texts.size < limit; ) {
      const page = await this.#pendingPassages({ after: last, key, limit });
      for (const { properties } of page) texts.set(properties.textNumber, properties.embeddedText);
      last = page.at(-1)?.properties.textNumber ?? last;
      if (page.length < Math.min(limit, PAGE)) break;
    }
    return Array.from(texts, ([id, text]) => ({ id, text })).slice(0, limit);
  }

  /** As `PendingTexts.countPending`. */
  async count(): Promise<number> {
    const numbers = new Set<number>();
    for (let last = 0; ; ) {
      const page = await this.#pendingPassages({ after: last, limit: PAGE });
      for (const { properties } of page) numbers.add(properties.textNumber);
      last = page.at(-1)?.properties.textNumber ?? last;
      if (page.length < PAGE) return numbers.size;
    }
  }

  /** As `PassageStore.keysOf`. */
  async keysOf(text: number): Promise<string[]> {
    const passages = await this.#objects.trip((of) =>
      this.#objects.where(of, of.filter.byProperty('textNumber').equal(text), { properties: ['key', 'generation'] }),
    );
    return [...new Set((await this.#live(passages)).map(({ properties }) => properties.key))].sort();
  }

  /** As `PendingTexts.putEmbeddings`. */
  async put(embeddings: readonly TextEmbedding[]): Promise<void> {
    const { cluster } = this.#objects;
    for (const page of pagesOf(embeddings, AT_ONCE)) {
      const vectors = new Map(page.map(({ id, embedding }) => [id, embedding]));
      for (;;) {
        const passages = await this.#objects.trip((of) => {
          const { filter } = of;
          const isPending = filter.byProperty('isEmbedded').equal(false);
          const hasText = filter.byProperty('textNumber').containsAny([...vectors.keys()]);
          return this.#objects.where(of, cluster.filters.and(isPending, hasText));
        });
        const embedded = passages.map(({ objectId, properties }): StoredObject => {
          const vector = vectors.get(properties.textNumber);
          return { id: objectId, properties: { ...properties, isEmbedded: true }, vector };
        });
        await this.#objects.insert(embedded);
        await this.#removeGone(passages);
        if (passages.length < PAGE) break;
      }
    }
  }

  /** What is known of some texts, in their order. */
  async #lookUp(texts: readonly string[]): Promise<(KnownText | undefined)[]> {
    const embeddings = new Map<string, Float32Array>();
    const waiting = new Set<string>();
    for (let rest = [...new Set(texts)]; rest.length > 0; ) {
      const [embedded, pending] = await this.#withTexts(rest);
      for (const { properties, vector } of embedded) {
        if (vector) embeddings.set(properties.embeddedText, Float32Array.from(vector));
      }
      for (const { properties } of pending) waiting.add(properties.embeddedText);
      const found = rest.filter((text) => embeddings.has(text));
      // Passages of frequent texts may have left no room for those of others.
      if (embedded.length < PAGE || found.length === 0) break;
      rest = rest.filter((text) => !embeddings.has(text));
    }
    return texts.map((text) => {
      const [embedding, isPending] = [embeddings.get(text), waiting.has(text)];
      return embedding || isPending ? { embedding, isPending } : undefined;
    });
  }

  /** Passages with some texts: those that are embedded, and those that are not. */
  async #withTexts(texts: readonly string[]): Promise<[FoundPassage[], FoundPassage[]]> {
    const { filters } = this.#objects.cluster;
    return this.#objects.trip((of) => {
      const hasText = of.filter.byProperty('textNumber').containsAny(texts.map(numberOfText));
      const where = (isEmbedded: boolean) =>
        this.#objects.where(of, filters.and(of.filter.byProperty('isEmbedded').equal(isEmbedded), hasText), {
          ...{ properties: ['embeddedText'], withVectors: isEmbedded },
        });
      return Promise.all([where(true), where(false)]);
    });
  }

  /** Passages of a file that was replaced meanwhile must not come back. */
  async #removeGone(passages: readonly FoundPassage[]): Promise<void> {
    const live = new Set(await this.#live(passages));
    const gone = new Set(passages.filter((one) => !live.has(one)).map(({ properties }) => properties.generation));
    if (gone.size === 0) return;
    for (const { generations } of await this.#writes.list()) for (const one of generations) gone.delete(one);
    if (gone.size === 0) return;
    await this.#objects.deleteWhere(({ filter }) => filter.byProperty('generation').containsAny([...gone]));
  }

  /** Those of some passages whose generation is that of their file. */
  async #live(passages: readonly FoundPassage[]): Promise<FoundPassage[]> {
    const heads = await this.#heads.ofKeys(passages.map(({ properties }) => properties.key));
    return passages.filter(({ properties: { key, generation } }) => heads.get(key)?.generation === generation);
  }

  async #pendingPassages({ after, key, limit }: PendingPage): Promise<FoundPassage[]> {
    const { filters } = this.#objects.cluster;
    return this.#objects.trip((of) => {
      const { filter } = of;
      const conditions = [
        filter.byProperty('isEmbedded').equal(false),
        filter.byProperty('textNumber').greaterThan(after),
        ...(key === undefined ? [] : [filter.byProperty('quotedKey').equal(quoted(key))]),
      ];
      return this.#objects.where(of, filters.and(...conditions), {
        ...{ properties: ['textNumber', 'embeddedText'], limit: Math.min(limit, PAGE), order: 'textNumber' },
      });
    });
  }
}

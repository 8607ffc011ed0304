import type { PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import { PAGE, pagesOf } from '../connection/cluster.js';
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

/** The texts of passages, with and without embeddings. A text is embedded once, however many passages have it. */
export class PassageTexts {
  readonly #objects: PassageObjects;
  readonly #heads: FileHeads;
  readonly #writes: Writes;
  /** Embeddings for puts to come, by text. */
  readonly #kept = new Map<string, Float32Array>();

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

  /** The stored and kept embeddings of some texts. */
  async embeddings(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const found = new Map<string, Float32Array>();
    const unknown: string[] = [];
    for (const text of new Set(texts)) {
      const kept = this.#kept.get(text);
      if (kept) found.set(text, kept);
      else unknown.push(text);
    }
    for (const page of pagesOf(unknown, AT_ONCE)) {
      const wanted = new Set(page);
      const passages = await this.#objects.trip((of) => {
        const { filter } = of;
        const isEmbedded = filter.byProperty('isEmbedded').equal(true);
        const hasText = filter.byProperty('textNumber').containsAny(page.map(numberOfText));
        return this.#objects.where(of, this.#objects.cluster.filters.and(isEmbedded, hasText), {
          ...{ properties: ['embeddedText'], withVectors: true },
        });
      });
      for (const { properties, vector } of passages) {
        if (vector && wanted.has(properties.embeddedText)) {
          found.set(properties.embeddedText, Float32Array.from(vector));
        }
      }
    }
    return found;
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

import { RequestBatcher } from '../../domain/scheduling/request-batcher.js';
import type { PendingPage, PendingText, TextEmbedding } from '../../storage/passage-store.js';
import { PAGE } from '../connection/cluster.js';
import { pagesOf } from '../connection/pages-of.js';
import type { StoredObject } from '../connection/stored-object.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Writes } from '../files/writes.js';
import { filePlace } from '../schema/places.js';
import { candidateOf, hashOfText, passageObjectId } from './passage-object.js';
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
  /** Embeddings for puts to come, by the hashes of their texts. */
  readonly #kept = new Map<string, Float32Array>();

  readonly #known = new RequestBatcher((hashes: readonly string[]) => this.#lookUp(hashes), LOOKUPS);

  constructor(objects: PassageObjects, files: { readonly heads: FileHeads; readonly writes: Writes }) {
    this.#objects = objects;
    this.#heads = files.heads;
    this.#writes = files.writes;
  }

  /** Keeps embeddings for puts by this process. */
  keep(embeddings: ReadonlyMap<string, Float32Array>): void {
    for (const [text, embedding] of embeddings) this.#kept.set(hashOfText(text), embedding);
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
      const found = await this.#objects.trip((of) => this.#objects.where(of, of.filter.byId().containsAny([...page])));
      for (const { properties, vector } of found) {
        if (vector) this.#kept.set(properties.textHash, Float32Array.from(vector));
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
        const hash = hashOfText(text);
        const kept = this.#kept.get(hash);
        const found = kept ? { embedding: kept, isPending: true } : await this.#known.submit(hash);
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
      for (const { pending, pendingText } of page) texts.set(pending, pendingText);
      last = page.at(-1)?.pending ?? last;
      if (page.length < Math.min(limit, PAGE)) break;
    }
    return Array.from(texts, ([id, text]) => ({ id, text })).slice(0, limit);
  }

  /** As `PendingTexts.countPending`. */
  async count(): Promise<number> {
    const numbers = new Set<number>();
    for (let last = 0; ; ) {
      const page = await this.#pendingPassages({ after: last, limit: PAGE });
      for (const { pending } of page) numbers.add(pending);
      last = page.at(-1)?.pending ?? last;
      if (page.length < PAGE) return numbers.size;
    }
  }

  /** As `PassageStore.keysOf`. */
  async keysOf(text: number): Promise<string[]> {
    const passages = await this.#objects.trip((of) =>
      this.#objects.where(of, of.filter.byProperty('pending').equal(text)),
    );
    return [...new Set((await this.#live(passages)).map(keyOf))].sort();
  }

  /** As `PendingTexts.putEmbeddings`. */
  async put(embeddings: readonly TextEmbedding[]): Promise<void> {
    for (const page of pagesOf(embeddings, AT_ONCE)) {
      const vectors = new Map(page.map(({ id, embedding }) => [id, embedding]));
      for (;;) {
        const passages = await this.#objects.trip((of) =>
          this.#objects.where(of, of.filter.byProperty('pending').containsAny([...vectors.keys()])),
        );
        const embedded = passages.map(({ objectId, properties }): StoredObject => {
          const { pending = 0, pendingText: _, ...rest } = properties;
          return { id: objectId, properties: { ...rest }, vector: vectors.get(pending) };
        });
        await this.#objects.insert(embedded);
        await this.#removeGone(passages);
        if (passages.length < PAGE) break;
      }
    }
  }

  /** What is known of some texts, in the order of their hashes. */
  async #lookUp(hashes: readonly string[]): Promise<(KnownText | undefined)[]> {
    const known = new Map<string, KnownText>();
    for (let rest = [...new Set(hashes)]; rest.length > 0; ) {
      const passages = await this.#objects.trip((of) =>
        this.#objects.where(of, of.filter.byProperty('textHash').containsAny(rest)),
      );
      for (const { properties, vector } of passages) {
        const { embedding = vector && Float32Array.from(vector), isPending = false } =
          known.get(properties.textHash) ?? {};
        known.set(properties.textHash, { embedding, isPending: isPending || !vector });
      }
      const found = rest.filter((hash) => known.has(hash));
      // Passages of frequent texts may have left no room for those of others.
      if (passages.length < PAGE || found.length === 0) break;
      rest = rest.filter((hash) => !known.has(hash));
    }
    return hashes.map((hash) => known.get(hash));
  }

  /** Passages of a file that was replaced meanwhile must not come back. */
  async #removeGone(passages: readonly FoundPassage[]): Promise<void> {
    const live = new Set(await this.#live(passages));
    const unnamed = passages.filter((one) => !live.has(one));
    const gone = new Set(unnamed.map(({ properties }) => properties.generation));
    // Writes before heads: what a write that ends between the two has decided is named by then.
    for (const generation of await this.#writes.writing([...gone])) gone.delete(generation);
    for (const { properties } of await this.#live(unnamed)) gone.delete(properties.generation);
    if (gone.size === 0) return;
    await this.#objects.deleteWhere(({ filter }) => filter.byProperty('generation').containsAny([...gone]));
  }

  /** Those of some passages whose generation is that of their file. */
  async #live(passages: readonly FoundPassage[]): Promise<FoundPassage[]> {
    const heads = await this.#heads.findAll(passages.map(keyOf));
    return passages.filter((one) => heads.get(keyOf(one))?.generation === candidateOf(one.properties).generation);
  }

  /** Passages that wait for their embeddings. */
  async #pendingPassages({ after, key, limit }: PendingPage): Promise<Pending[]> {
    const { filters } = this.#objects.cluster;
    const passages = await this.#objects.trip((of) => {
      const { filter } = of;
      const conditions = [
        filter.byProperty('pending').greaterThan(after),
        ...(key === undefined ? [] : [filter.byProperty('places').containsAny([filePlace(key)])]),
      ];
      return this.#objects.where(of, filters.and(...conditions), { limit: Math.min(limit, PAGE), order: 'pending' });
    });
    return passages.map(({ properties: { pending = 0, pendingText = '' } }) => ({ pending, pendingText }));
  }
}

/** The text of a passage that waits for its embedding. */
interface Pending {
  readonly pending: number;
  readonly pendingText: string;
}

function keyOf({ properties }: FoundPassage): string {
  return candidateOf(properties).key;
}

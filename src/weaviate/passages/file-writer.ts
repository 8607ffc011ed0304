import { randomUUID } from 'node:crypto';
import { isSameVersion, type PassageToPut } from '../../storage/passage-store.js';
import { pagesOf } from '../connection/pages-of.js';
import type { StoredObject } from '../connection/stored-object.js';
import type { ContentPieces } from '../contents/content-pieces.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import { assertReplaced, textOfHead } from '../files/head-text.js';
import { ABANDONED_AFTER, type Write, type Writes } from '../files/writes.js';
import type { PassageBodies } from './passage-bodies.js';
import { movedProperties, passageObjectId, passageObjects } from './passage-object.js';
import type { PassageObjects } from './passage-objects.js';
import type { SettledWrites } from './settled-writes.js';

/** Passages that are copied at once, with their vectors. */
const COPIED = 200;

/** What files are written to. */
export interface FileWriterParts {
  readonly objects: PassageObjects;
  readonly heads: FileHeads;
  readonly writes: Writes;
  readonly contents: ContentPieces;
  readonly bodies: PassageBodies;
  readonly settled: SettledWrites;
  readonly stem: (term: string) => string;
  /** Throws if the model of the bot has changed. Defaults to no check. */
  readonly checkModel?: (() => Promise<void>) | undefined;
}

/** A new version of a file. */
export interface NewVersion {
  /** The head that the version was decided on; undefined for a new file. */
  readonly before: FileHead | undefined;
  /** The new head, without the fields that the write decides. */
  readonly head: Omit<FileHead, 'generation' | 'passages' | 'version'>;
  readonly text: string;
  readonly passages: readonly PassageToPut[];
  readonly vectorOf: (text: string) => Float32Array | undefined;
  /** Defaults to one that no earlier version of the file has had. */
  readonly version?: number | undefined;
}

/**
 * Writes whole files. A write is announced; then the passages and the text are stored under a new generation; then one
 * object, the head, makes that generation the file's; then what it replaced is removed. A reader sees the old version
 * or the new one, and what a dead process leaves behind is removed by `sweep`.
 */
export class FileWriter {
  readonly #parts: FileWriterParts;

  constructor(parts: FileWriterParts) {
    this.#parts = parts;
  }

  /** Returns false, and changes nothing, if the file has changed since `before` was read. */
  async put({ before, head, text, passages, vectorOf, version }: NewVersion): Promise<boolean> {
    const { stem } = this.#parts;
    const changed = { ...head, passages: passages.length };
    return this.#write(before, { changed, version }, async (generation) => {
      const { objects, bodies } = passageObjects({ file: head, generation, text }, { passages, stem, vectorOf });
      await Promise.all([
        this.#parts.objects.insert(objects),
        this.#parts.bodies.put(generation, bodies),
        this.#parts.contents.putText(generation, text),
      ]);
    });
  }

  /** Writes a file with another key, other tags or other metadata: its passages are found by them. */
  async rewrite(before: FileHead, changed: FileHead): Promise<boolean> {
    const { heads, contents, bodies } = this.#parts;
    const former = before.generation;
    return this.#write(before, { changed }, async (generation) => {
      if (former === null) return;
      const positions = Array.from({ length: before.passages }, (_, position) => position);
      let copied = 0;
      for (const page of pagesOf(positions, COPIED)) {
        copied += await this.#copy(page, { former, generation, file: changed });
      }
      const copies = await bodies.ofGeneration(former, before.passages);
      // Not copied whole, and thus not written, if the file has another generation by now.
      if (Math.min(copied, copies.length) < before.passages) await assertReplaced(before, heads);
      await bodies.put(generation, copies);
      await contents.putText(generation, (await textOfHead(before, this.#parts)) ?? '');
    });
  }

  /**
   * Writes a head that names the passages and the text that the former one names. Returns it as it was written;
   * undefined, and changes nothing, if the file has changed since `before` was read.
   */
  async describe(before: FileHead, head: Omit<FileHead, 'version'>): Promise<FileHead | undefined> {
    const { heads, writes, settled } = this.#parts;
    // Announced, so that another write of the file removes nothing that this head names.
    const write = writeOf(before, { id: randomUUID(), key: before.key });
    await writes.begin(write);
    try {
      if (!isSameVersion(await heads.find(before.key), before)) return undefined;
      const described = { ...head, version: versionAfter(before) };
      await heads.put(described, before);
      return described;
    } finally {
      // A sweep removes what remains if this fails.
      await settled.add(write).catch(() => {});
    }
  }

  /** Removes a file. Returns false, and does nothing, if it has changed since its head was read. */
  async remove(head: FileHead): Promise<boolean> {
    const { heads, writes, settled } = this.#parts;
    const write = writeOf(head, { id: randomUUID(), key: head.key });
    await writes.begin(write);
    const isThere = isSameVersion(await heads.find(head.key), head);
    if (isThere) await heads.remove(head);
    await settled.add(write);
    return isThere;
  }

  /** Ends the writes of processes that died. */
  async sweep(now = Date.now()): Promise<void> {
    const { writes, settled } = this.#parts;
    for (const write of await writes.list()) {
      if (now - write.since > ABANDONED_AFTER) await settled.add(write);
    }
  }

  async #write(
    before: FileHead | undefined,
    {
      changed: head,
      version: given,
    }: { readonly changed: Omit<FileHead, 'generation' | 'version'>; readonly version?: number | undefined },
    store: (generation: string) => Promise<void>,
  ): Promise<boolean> {
    const { heads, writes, settled } = this.#parts;
    const generation = randomUUID();
    const isMoved = before !== undefined && before.key !== head.key;
    const write = writeOf(before, { id: generation, key: head.key, ...(isMoved && { from: before.key }) });
    await writes.begin(write);
    let isDecided: boolean;
    try {
      isDecided = await writes.announcing(write, async (isUnderWay) => {
        await store(generation);
        const [isCurrent, now, taken] = await Promise.all([
          isUnderWay(),
          heads.find(before?.key ?? head.key),
          isMoved ? heads.find(head.key) : undefined,
          this.#parts.checkModel?.(),
        ]);
        if (!isCurrent || !isSameVersion(now, before) || taken !== undefined) return false;
        await heads.put({ ...head, generation, version: given ?? versionAfter(before) }, before);
        return true;
      });
    } catch (error) {
      // What cannot be removed now is removed by a sweep.
      await settled.add(write).catch(() => {});
      throw error;
    }
    // The write is decided: what remains to be removed does not change it, and a sweep removes it if this fails.
    await settled.add(write).catch(() => {});
    return isDecided;
  }

  /** Copies passages of a generation into another one; returns how many were there. */
  async #copy(
    positions: readonly number[],
    { former, generation, file }: { readonly former: string; readonly generation: string; readonly file: FileHead },
  ): Promise<number> {
    const { objects, stem } = this.#parts;
    const ids = positions.map((position) => passageObjectId(former, position));
    const found = await objects.trip((of) => objects.where(of, of.filter.byId().containsAny(ids)));
    const copies = found.map(({ properties, vector }): StoredObject => {
      const id = passageObjectId(generation, properties.position);
      const changed = movedProperties(properties, file, { generation, stem });
      return { id, properties: { ...changed }, vector: vector && Float32Array.from(vector) };
    });
    await objects.insert(copies);
    return copies.length;
  }
}

/** A version that a clock gives is not met again, not even by a file that is removed and put again. */
function versionAfter(before: FileHead | undefined): number {
  return Math.max((before?.version ?? 0) + 1, Date.now());
}

/** A write over a head. */
function writeOf(
  before: FileHead | undefined,
  { id, key, from }: { readonly id: string; readonly key: string; readonly from?: string },
): Write {
  const former = before?.generation ?? undefined;
  const generations = former === undefined ? [id] : [id, former];
  const uploaded = before?.content ? [before.content.id] : [];
  return { id, key, generations, contents: [...generations, ...uploaded], from, since: Date.now() };
}

import type { ContentPieces } from '../contents/content-pieces.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Write, Writes } from '../files/writes.js';
import { filePlace } from '../schema/places.js';
import type { PassageObjects } from './passage-objects.js';

/** Writes that are settled together. */
const GROUP = 64;

/** A write that waits to be settled. */
interface Waiting {
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What writes leave behind, and where it is. */
export interface SettledWritesParts {
  readonly objects: PassageObjects;
  readonly heads: FileHeads;
  readonly writes: Writes;
  readonly contents: ContentPieces;
}

/**
 * Settles writes, whether they were decided or not: removes every generation of their files that no head and no other
 * write names, and then the record of the write. Writes that end at the same time are settled together. A write may be
 * settled again.
 */
export class SettledWrites {
  readonly #parts: SettledWritesParts;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(parts: SettledWritesParts) {
    this.#parts = parts;
  }

  /** Resolves when the write is settled. */
  add(write: Write): Promise<void> {
    const settled = new Promise<void>((resolve, reject) => this.#waiting.push({ write, resolve, reject }));
    void this.#run();
    return settled;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.slice(0, GROUP);
      this.#waiting = this.#waiting.slice(GROUP);
      try {
        await this.#settle(group.map(({ write }) => write));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }

  async #settle(group: readonly Write[]): Promise<void> {
    const { heads, writes } = this.#parts;
    const keys = group.map(({ key }) => key);
    const ids = new Set(group.map(({ id }) => id));
    // In this order: a generation that is stored by now is that of a write that is under way, or that has ended, and
    // then a head names it or nothing does. What another process stores from now on is not touched.
    const stored = await this.#generationsOf(keys);
    const others = (await writes.list()).filter(({ id }) => !ids.has(id));
    const own = new Set(group.flatMap(({ generations }) => generations));
    const writing = await writes.writing([...stored].filter((generation) => !own.has(generation)));
    const found = await heads.findAll(keys);
    await this.#removeFormerHeads(group, found);
    const live = [...found.values()].flatMap(({ generation }) => generation ?? []);
    const inUse = new Set([...live, ...writing, ...others.flatMap(({ generations }) => generations)]);
    const left = [...stored, ...own];
    await this.#removeGenerations(left.filter((generation) => !inUse.has(generation)));
    const uploaded = new Set([...found.values()].flatMap(({ content }) => content?.id ?? []));
    const contents = group.flatMap((write) => write.contents);
    await this.#parts.contents.remove(...contents.filter((content) => !inUse.has(content) && !uploaded.has(content)));
    await writes.end(group);
    // Another process may have decided on a file meanwhile, and left a generation alone because of these writes.
    const now = await heads.findAll(keys);
    const overtaken = group.flatMap(({ key, generations }) => {
      const before = found.get(key)?.generation;
      return before && generations.includes(before) && now.get(key)?.generation !== before ? [before] : [];
    });
    await this.#removeGenerations(overtaken);
    await this.#parts.contents.remove(...overtaken.filter((content) => !hasContent(now, content)));
  }

  /** The generations that are stored of some files; those whose first passage is not stored are left to `doctor`. */
  async #generationsOf(keys: readonly string[]): Promise<Set<string>> {
    const { objects } = this.#parts;
    const { and } = objects.cluster.filters;
    const found = await objects.trip((of) => {
      const ofFiles = of.filter.byProperty('places').containsAny(keys.map(filePlace));
      const isFirst = of.filter.byProperty('position').equal(0);
      return objects.where(of, and(ofFiles, isFirst));
    });
    return new Set(found.map(({ properties }) => properties.generation));
  }

  /** A file that was moved must not have two heads. */
  async #removeFormerHeads(group: readonly Write[], found: ReadonlyMap<string, FileHead>): Promise<void> {
    const { heads } = this.#parts;
    for (const { key, from } of group) {
      const head = found.get(key);
      if (from === undefined || !head) continue;
      const former = await heads.find(from);
      // Another write may have changed the file since, or moved it back.
      if (former?.id === head.id && former.version < head.version) await heads.remove(former, { isMoved: true });
    }
  }

  async #removeGenerations(generations: readonly string[]): Promise<void> {
    if (generations.length === 0) return;
    await this.#parts.objects.deleteWhere(({ filter }) =>
      filter.byProperty('generation').containsAny([...generations]),
    );
  }
}

/** Whether one of some files has a content. */
function hasContent(heads: ReadonlyMap<string, FileHead>, id: string): boolean {
  return [...heads.values()].some(({ content }) => content?.id === id);
}

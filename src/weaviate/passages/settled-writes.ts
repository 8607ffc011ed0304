import type { ContentPieces } from '../contents/content-pieces.js';
import type { FileHead } from '../files/file-head.js';
import type { FileHeads } from '../files/file-heads.js';
import type { Write, Writes } from '../files/writes.js';
import { quoted } from '../schema/quoted.js';
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
    const [found, all] = await Promise.all([heads.ofKeys(keys), writes.list()]);
    await this.#removeFormerHeads(group, found);
    const others = all.filter(({ id }) => !ids.has(id));
    const live = [...found.values()].flatMap(({ generation }) => generation ?? []);
    const inUse = [...live, ...others.flatMap(({ generations }) => generations)];
    const uploaded = [...found.values()].flatMap(({ content }) => content?.id ?? []);
    await this.#remove(group, { keys, inUse, contents: [...inUse, ...uploaded] });
    await writes.end(group);
    // Another process may have decided on a file meanwhile, and left a generation alone because of these writes.
    const now = await heads.ofKeys(keys);
    const overtaken = group.filter(({ key, generations }) => {
      const before = found.get(key)?.generation;
      return before && generations.includes(before) && now.get(key)?.generation !== before;
    });
    const left = overtaken.flatMap(({ key }) => found.get(key)?.generation ?? []);
    if (left.length > 0) await this.#removeGenerations(left);
  }

  /** A file that was moved must not have two heads. */
  async #removeFormerHeads(group: readonly Write[], found: ReadonlyMap<string, FileHead>): Promise<void> {
    const { heads } = this.#parts;
    for (const { id, key, from } of group) {
      const head = found.get(key);
      if (from === undefined || head?.generation !== id) continue;
      const former = await heads.find(from);
      if (former?.id === head.id) await heads.remove(former, { isMoved: true });
    }
  }

  async #remove(
    group: readonly Write[],
    { keys, inUse, contents }: { readonly keys: string[]; readonly inUse: string[]; readonly contents: string[] },
  ): Promise<void> {
    const { objects } = this.#parts;
    const left = group.flatMap(({ generations }) => generations).filter((generation) => !inUse.includes(generation));
    await objects.deleteWhere(({ filter }) => {
      const { and, or } = objects.cluster.filters;
      const ofFiles = filter.byProperty('quotedKey').containsAny(keys.map(quoted));
      const unused = inUse.length > 0 ? and(ofFiles, filter.byProperty('generation').containsNone(inUse)) : ofFiles;
      return left.length > 0 ? or(filter.byProperty('generation').containsAny(left), unused) : unused;
    });
    const leftContents = group.flatMap((write) => write.contents).filter((content) => !contents.includes(content));
    await this.#parts.contents.remove(...leftContents);
  }

  async #removeGenerations(generations: readonly string[]): Promise<void> {
    const { objects, contents } = this.#parts;
    await objects.deleteWhere(({ filter }) => filter.byProperty('generation').containsAny([...generations]));
    await contents.remove(...generations);
  }
}

import { setTimeout } from 'node:timers/promises';
import type { Cluster } from '../connection/cluster.js';
import { Records } from '../records/records.js';
import { ACCOUNTS } from '../schema/collections.js';

/** A record whose name is unique among those of its scope. */
export interface Named {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Milliseconds, at most, before a name is tried again that two processes took at once. */
const PAUSE = 200;

/**
 * Records with unique names. Weaviate cannot compare and set, so a record is written first, and then read back with all
 * that have its name: only who is alone has it, and the others take their record back. Of two processes at least one
 * sees the other, so never do both have the name; if both see each other, they try again after a random time.
 *
 * Two records of one name are still possible if a process dies before it takes its record back, and if a replica that
 * answers has missed a write, while another is down. The name means the oldest one then.
 */
export class NamedRecords<Item extends Named> {
  readonly #records: Records<Item>;
  readonly #scopeOf: (item: Item) => string;

  /** `scopeOf` returns what names are unique in; records are found by it too. */
  constructor(cluster: Cluster, kind: string, scopeOf: (item: Item) => string) {
    this.#records = new Records<Item>(cluster, { collection: ACCOUNTS, kind });
    this.#scopeOf = scopeOf;
  }

  find(id: string): Promise<Item | undefined> {
    return this.#records.find(id);
  }

  /** All, or those of a scope, oldest first. */
  async list(scope?: string): Promise<Item[]> {
    return byAge(await this.#records.list(scope === undefined ? {} : { refs: [inScope(scope)] }));
  }

  /** Whether a scope has any record. */
  async isAny(scope: string): Promise<boolean> {
    return (await this.#records.first(1, { refs: [inScope(scope)] })).length > 0;
  }

  /** The record of a name in each scope, or in one, oldest first. */
  async named(name: string, scope?: string): Promise<Item[]> {
    const oldest = new Map<string, Item>();
    for (const item of byAge(await this.#allNamed(name, scope))) {
      if (!oldest.has(this.#scopeOf(item))) oldest.set(this.#scopeOf(item), item);
    }
    return [...oldest.values()];
  }

  /** Stores a new record, unless another one has its name. Returns the one that has it. */
  async create(item: Item): Promise<Item> {
    for (;;) {
      const [known] = await this.named(item.name, this.#scopeOf(item));
      if (known) return known;
      await this.put(item);
      if (await this.#isAlone(item)) return item;
      await this.remove(item.id);
      await setTimeout(Math.random() * PAUSE);
    }
  }

  /** Replaces a record by one with another name. Returns false, and does nothing, if another one has that name. */
  async rename(former: Item, item: Item): Promise<boolean> {
    const [known] = await this.named(item.name, this.#scopeOf(item));
    if (known && known.id !== item.id) return false;
    await this.put(item);
    if (await this.#isAlone(item)) return true;
    await this.put(former);
    return false;
  }

  /** Replaces a record by one with the same name. */
  async put(item: Item): Promise<void> {
    const refs = [withName(item.name), inScope(this.#scopeOf(item))];
    await this.#records.put({ id: item.id, body: item, refs, stamp: Date.parse(item.createdAt) });
  }

  async remove(id: string): Promise<void> {
    await this.#records.remove(id);
  }

  /** Whether a stored record, and no other, has its name. */
  async #isAlone(item: Item): Promise<boolean> {
    const found = await this.#allNamed(item.name, this.#scopeOf(item));
    return found.length === 1 && found[0]?.id === item.id;
  }

  async #allNamed(name: string, scope: string | undefined): Promise<Item[]> {
    const refs = [withName(name), ...(scope === undefined ? [] : [inScope(scope)])];
    // The filter ignores spaces around a name.
    return (await this.#records.list({ refs })).filter((item) => item.name === name);
  }
}

function withName(name: string): string {
  return `name:${name}`;
}

function inScope(scope: string): string {
  return `in:${scope}`;
}

function byAge<Item extends Named>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : idOrder(a, b)));
}

function idOrder(a: Named, b: Named): number {
  return a.id < b.id ? -1 : 1;
}

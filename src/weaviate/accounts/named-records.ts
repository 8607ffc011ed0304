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

/** Who has a name. */
interface Claim<Item> {
  /** The record as it was when it took the name. */
  readonly item: Item;
  /** When, in milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds after which a claim without its record is taken for that of a process that died. */
const UNFINISHED_AFTER = 60_000;

/**
 * Records with unique names. The name is a record of its own, with an id that follows from it: who is in it, when it is
 * read back after it was written, has the name.
 *
 * Weaviate cannot compare and set. So if a process waits for longer than another one takes to write and read back,
 * after it found the name free and before it writes, both have it: the later one by the name's record, the earlier one
 * by its own record only. `holder` tells which one a name means then, and renaming or deleting either ends it.
 */
export class NamedRecords<Item extends Named> {
  readonly #records: Records<Item>;
  readonly #names: Records<Claim<Item>>;
  readonly #scopeOf: (item: Item) => string;

  /** `scopeOf` returns what names are unique in; records are found by it too. */
  constructor(cluster: Cluster, kind: string, scopeOf: (item: Item) => string) {
    this.#records = new Records<Item>(cluster, { collection: ACCOUNTS, kind });
    this.#names = new Records<Claim<Item>>(cluster, { collection: ACCOUNTS, kind: `${kind}-name` });
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

  /** The records of a name, in all scopes or in one, oldest first. */
  async named(name: string, scope?: string): Promise<Item[]> {
    const refs = [withName(name), ...(scope === undefined ? [] : [inScope(scope)])];
    const found = (await this.#records.list({ refs })).filter((item) => item.name === name);
    const scopes = new Set(found.map(this.#scopeOf));
    if (scopes.size === found.length) return byAge(found);
    const ofScopes = Array.from(scopes, async (one) => {
      const holder = await this.holder(name, one);
      return holder ? [holder] : found.filter((item) => this.#scopeOf(item) === one);
    });
    return byAge((await Promise.all(ofScopes)).flat());
  }

  /** The record that has a name in a scope. */
  async holder(name: string, scope: string): Promise<Item | undefined> {
    const claim = await this.#names.find(nameId(name, scope));
    if (!claim) return undefined;
    const current = await this.#records.find(claim.item.id);
    if (current) return current.name === name ? current : undefined;
    if (Date.now() - claim.since > UNFINISHED_AFTER) return undefined;
    // Its process is about to store it, unless it died.
    await this.put(claim.item);
    return claim.item;
  }

  /** Stores a new record, unless another one has its name. Returns the one that has it. */
  async create(item: Item): Promise<Item> {
    const holder = await this.#take(item);
    if (holder.id !== item.id) await this.#records.remove(item.id);
    return holder;
  }

  /** Replaces a record by one with another name, unless another one has that name. Returns the one that has it. */
  async rename(former: Item, item: Item): Promise<Item> {
    const holder = await this.#take(item);
    if (holder.id !== item.id) await this.put(former);
    else await this.release(former);
    return holder;
  }

  /** Replaces a record by one with the same name. */
  async put(item: Item): Promise<void> {
    const refs = [withName(item.name), inScope(this.#scopeOf(item))];
    await this.#records.put({ id: item.id, body: item, refs, stamp: Date.parse(item.createdAt) });
  }

  /** Gives the name of a record free. Call it before `remove`, and before what the record has is removed. */
  async release(item: Item): Promise<void> {
    const id = nameId(item.name, this.#scopeOf(item));
    if ((await this.#names.find(id))?.item.id === item.id) await this.#names.remove(id);
  }

  async remove(id: string): Promise<void> {
    await this.#records.remove(id);
  }

  async #take(item: Item): Promise<Item> {
    const [scope, id] = [this.#scopeOf(item), nameId(item.name, this.#scopeOf(item))];
    const holder = await this.holder(item.name, scope);
    if (holder && holder.id !== item.id) return holder;
    await this.#names.put({ id, body: { item, since: Date.now() }, refs: [inScope(scope)] });
    await this.put(item);
    return (await this.#names.find(id))?.item ?? item;
  }
}

function nameId(name: string, scope: string): string {
  return JSON.stringify([scope, name]);
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

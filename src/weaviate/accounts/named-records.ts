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

/** Announces that a process is about to store a record under a name. */
interface Claim {
  /** The record's id. */
  readonly owner: string;
  readonly name: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly since: number;
}

/** Milliseconds after which a claim is that of a process that died. One may be late by half of that. */
const ABANDONED_AFTER = 60_000;

/** The most milliseconds before a name that two processes claimed at once is tried again. */
const PAUSE = 200;

/**
 * Records with unique names. Weaviate cannot compare and set, so a process first claims a name, then reads all claims
 * and records of it, and stores its record only if its claim is alone. Of two processes at least one sees the claim or
 * the record of the other, so they never both store one; if both see the other's claim, they try again after a random
 * time.
 *
 * Two records of one name are still possible if the replica that answers has missed a write while another one was down,
 * and if clocks differ by half a minute. The name then means the oldest one.
 */
export class NamedRecords<Item extends Named> {
  readonly #records: Records<Item>;
  readonly #claims: Records<Claim>;
  readonly #scopeOf: (item: Item) => string;

  /** `scopeOf` returns the scope in which names are unique; records can be listed by it. */
  constructor(cluster: Cluster, kind: string, scopeOf: (item: Item) => string) {
    this.#records = new Records<Item>(cluster, { collection: ACCOUNTS, kind });
    this.#claims = new Records<Claim>(cluster, { collection: ACCOUNTS, kind: `${kind}-claim` });
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
  async hasAny(scope: string): Promise<boolean> {
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
      if (await this.#store(item)) return item;
      await setTimeout(Math.random() * PAUSE);
    }
  }

  /** Stores a record, new or under another name. Returns false, and does nothing, if another one has its name. */
  async rename(item: Item): Promise<boolean> {
    for (;;) {
      const [known] = await this.named(item.name, this.#scopeOf(item));
      if (known && known.id !== item.id) return false;
      if (await this.#store(item)) return true;
      await setTimeout(Math.random() * PAUSE);
    }
  }

  /** Replaces a record by one with the same name. */
  async put(item: Item): Promise<void> {
    const refs = this.#refs(item.name, this.#scopeOf(item));
    await this.#records.put({ id: item.id, body: item, refs, stamp: Date.parse(item.createdAt) });
  }

  async remove(id: string): Promise<void> {
    await this.#records.remove(id);
  }

  /** Stores a record if nothing else has its name, or is about to. */
  async #store(item: Item): Promise<boolean> {
    const claim = { owner: item.id, name: item.name, since: Date.now() };
    const refs = this.#refs(item.name, this.#scopeOf(item));
    await this.#claims.put({ id: item.id, body: claim, refs, stamp: claim.since });
    try {
      // Claims first: a process stores its record before it withdraws its claim.
      const claims = (await this.#claims.list({ refs })).filter(({ name }) => name === item.name);
      const records = await this.#allNamed(item.name, this.#scopeOf(item));
      const isAbandoned = ({ since }: Claim) => since < Date.now() - ABANDONED_AFTER;
      await this.#claims.remove(...claims.filter(isAbandoned).map(({ owner }) => owner));
      const isOther = (other: Claim) => other.owner !== item.id && !isAbandoned(other);
      const isLate = Date.now() - claim.since > ABANDONED_AFTER / 2;
      const isTaken = claims.some(isOther) || records.some(({ id }) => id !== item.id);
      const isAlone = !isLate && !isTaken && claims.some(({ owner }) => owner === item.id);
      if (isAlone) await this.put(item);
      return isAlone;
    } finally {
      await this.#claims.remove(item.id);
    }
  }

  #refs(name: string, scope: string | undefined): string[] {
    return [`name:${name}`, ...(scope === undefined ? [] : [inScope(scope)])];
  }

  async #allNamed(name: string, scope: string | undefined): Promise<Item[]> {
    const refs = this.#refs(name, scope);
    // The filter ignores spaces around a name.
    return (await this.#records.list({ refs })).filter((item) => item.name === name);
  }
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

import type { Cluster } from '../connection/cluster.js';
import { Claims, pause } from '../records/claims.js';
import { ExclusiveChanges } from '../records/exclusive-changes.js';
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
  readonly #claims: Claims;
  readonly #changes: ExclusiveChanges;
  readonly #scopeOf: (item: Item) => string;
  readonly #taken: (name: string) => Error;

  /**
   * `scopeOf` returns the scope in which names are unique; records can be listed by it. `taken` makes the error of a
   * change to a name that another record has.
   */
  constructor(
    cluster: Cluster,
    {
      kind,
      scopeOf,
      taken,
    }: { readonly kind: string; readonly scopeOf: (item: Item) => string; readonly taken: (name: string) => Error },
  ) {
    this.#records = new Records<Item>(cluster, { collection: ACCOUNTS, kind });
    this.#claims = new Claims(cluster, { collection: ACCOUNTS, kind: `${kind}-claim` });
    this.#changes = new ExclusiveChanges(cluster, { collection: ACCOUNTS, kind: `${kind}-change` });
    this.#scopeOf = scopeOf;
    this.#taken = taken;
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
      await pause();
    }
  }

  /**
   * Stores a record, new or in place of the one with its id. The caller ensures that no other process changes it
   * meanwhile. Throws if another record has its name.
   */
  async put(item: Item): Promise<void> {
    await this.#putUnless(() => false, item);
  }

  /** Changes a record, and returns it; undefined if there is none. Throws if another one has its new name. */
  async change(id: string, changed: (item: Item) => Item): Promise<Item | undefined> {
    const { after } = await this.#changes.run(id, async (isLate) => {
      const before = await this.find(id);
      if (!before) return { after: undefined };
      const after = changed(before);
      if (after.name !== before.name) return (await this.#putUnless(isLate, after)) ? { after } : undefined;
      if (isLate()) return undefined;
      await this.#write(after);
      return { after };
    });
    return after;
  }

  /** Removes a record while nobody changes it, after `first`, which may run again. */
  async remove(id: string, first = async () => {}): Promise<void> {
    await this.#changes.run(id, async (isLate) => {
      await first();
      if (isLate()) return undefined;
      await this.#records.remove(id);
      return true;
    });
  }

  /** As `put`, unless it is late before the record is stored. Returns whether it is stored. */
  async #putUnless(isLate: () => boolean, item: Item): Promise<boolean> {
    for (;;) {
      const [known] = await this.named(item.name, this.#scopeOf(item));
      if (known && known.id !== item.id) throw this.#taken(item.name);
      if (isLate()) return false;
      if (await this.#store(item, isLate)) return true;
      await pause();
    }
  }

  /** Stores a record if nothing else has its name, or is about to, and if it is not late by then. */
  async #store(item: Item, isLate = () => false): Promise<boolean> {
    const { id: owner, name } = item;
    const scope = this.#scopeOf(item);
    const isStored = await this.#claims.alone({ owner, name, refs: this.#refs(name, scope) }, async (isClaimLate) => {
      // After the claims: who has withdrawn one has stored its record before.
      const isTaken = (await this.#allNamed(name, scope)).some(({ id }) => id !== item.id);
      if (isTaken || isClaimLate() || isLate()) return false;
      await this.#write(item);
      return true;
    });
    return isStored ?? false;
  }

  async #write(item: Item): Promise<void> {
    const refs = this.#refs(item.name, this.#scopeOf(item));
    await this.#records.put({ id: item.id, body: item, refs, stamp: Date.parse(item.createdAt) });
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

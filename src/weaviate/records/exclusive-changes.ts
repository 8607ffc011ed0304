import { randomUUID } from 'node:crypto';
import type { Cluster, Partition } from '../connection/cluster.js';
import { Claims } from './claims.js';

/** Changes of records that are read first. Of one record, one process at a time makes one. */
export class ExclusiveChanges {
  readonly #claims: Claims;

  /** `kind` is that of the claims. */
  constructor(cluster: Cluster, partition: Partition & { readonly kind: string }) {
    this.#claims = new Claims(cluster, partition);
  }

  /**
   * Makes a change to what a name stands for. `decide` reads it and returns what to do, undefined for nothing. It
   * runs again if this process was held up for so long that others may have made changes. Returns whether a change
   * was made.
   */
  async make(name: string, decide: () => Promise<(() => Promise<void>) | undefined>): Promise<boolean> {
    return this.#claims.inTurn({ owner: randomUUID(), name, refs: [`claims:${name}`] }, async (isLate) => {
      const change = await decide();
      if (!change) return false;
      if (isLate()) return undefined;
      await change();
      return true;
    });
  }
}

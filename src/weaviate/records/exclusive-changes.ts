import { randomUUID } from 'node:crypto';
import type { Cluster, Partition } from '../connection/cluster.js';
import { Claims } from './claims.js';
import { KeyLocks } from './key-locks.js';

/** Changes that depend on what a record holds. One process at a time changes a record. */
export class ExclusiveChanges {
  readonly #claims: Claims;
  /** Calls of this process wait here: in the cluster, they would take turns at random. */
  readonly #locks = new KeyLocks();

  /** `kind` is that of the claims. */
  constructor(cluster: Cluster, partition: Partition & { readonly kind: string }) {
    this.#claims = new Claims(cluster, partition);
  }

  /**
   * Runs a change while nobody else runs one under the same name. `isLate` says whether this process was held up for so
   * long that others may have begun theirs: nothing may be written then. A change that returns undefined runs again.
   */
  run<T>(name: string, change: (isLate: () => boolean) => Promise<T | undefined>): Promise<T> {
    const claimed = { owner: randomUUID(), name, refs: [`claims:${name}`] };
    return this.#locks.run([name], () => this.#claims.inTurn(claimed, change));
  }
}

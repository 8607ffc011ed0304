import { randomUUID } from 'node:crypto';
import type { Cluster, Partition } from '../connection/cluster.js';
import { Claims } from './claims.js';
import { KeyLocks } from './key-locks.js';

/** Changes that depend on what a record holds. Of one name, one runs at a time, whichever process it is of. */
export class ExclusiveChanges {
  readonly #claims: Claims;
  /** Calls of this process wait here: in the cluster, they would take turns at random. */
  readonly #locks: KeyLocks;

  /** `kind` is that of the claims. */
  constructor(cluster: Cluster, partition: Partition & { readonly kind: string }, locks = new KeyLocks()) {
    this.#claims = new Claims(cluster, partition);
    this.#locks = locks;
  }

  /**
   * Runs a change while nobody else runs one under the same name. `isLate` says whether this process was held up for so
   * long that others may have begun theirs: nothing may be written then. A change that returns undefined runs again.
   */
  run<T>(name: string, change: (isLate: () => boolean) => Promise<T | undefined>): Promise<T> {
    const ref = `claims:${name}`;
    const claimed = { owner: randomUUID(), name, refs: [ref] };
    return this.#locks.run([ref], () => this.#claims.inTurn(claimed, change));
  }
}

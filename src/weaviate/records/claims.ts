import { setTimeout } from 'node:timers/promises';
import type { Cluster, Partition } from '../connection/cluster.js';
import { Records } from './records.js';
import { renewing } from './renewing.js';

/** Says that a process does something, or is about to, that one alone may do. */
interface Claim {
  readonly owner: string;
  readonly name: string;
  /** When it was made or renewed, in milliseconds since the epoch. */
  readonly since: number;
}

/** What is claimed. */
export interface Claimed {
  /** Whose claim it is. */
  readonly owner: string;
  readonly name: string;
  /** References that all claims of the name have. */
  readonly refs?: readonly string[] | undefined;
}

/** Milliseconds after which a claim is that of a process that died. One may be late by half of that. */
const ABANDONED_AFTER = 60_000;

/** Milliseconds, at most, before something is tried again that two processes claimed at once. */
const PAUSE = 200;

/** Waits for a random time before something is tried again that another process has claimed. */
export async function pause(): Promise<void> {
  await setTimeout(Math.random() * PAUSE);
}

/**
 * Lets one process alone do something. Weaviate cannot compare and set, so a process first puts a claim, then reads all
 * claims of the name, and works only if its own is alone: of two processes at least one sees the claim of the other.
 */
export class Claims {
  readonly #records: Records<Claim>;

  constructor(cluster: Cluster, partition: Partition & { readonly kind: string }) {
    this.#records = new Records<Claim>(cluster, partition);
  }

  /**
   * Runs work if nobody else claims the name, and withdraws the claim. Otherwise returns undefined: try again after a
   * `pause`. `isLate` says whether others may take the claim for abandoned.
   */
  async alone<T>(claimed: Claimed, work: (isLate: () => boolean) => Promise<T>): Promise<T | undefined> {
    const { owner, name, refs } = claimed;
    let since = Date.now();
    const put = async (now: number) => {
      await this.#records.put({ id: owner, body: { owner, name, since: now }, refs, stamp: now });
      since = now;
    };
    const isLate = () => Date.now() - since > ABANDONED_AFTER / 2;
    await put(since);
    try {
      const claims = (await this.#records.list({ refs })).filter((claim) => claim.name === name);
      const isAbandoned = (claim: Claim) => claim.since < Date.now() - ABANDONED_AFTER;
      await this.#records.remove(...claims.filter(isAbandoned).map((claim) => claim.owner));
      const isOther = (claim: Claim) => claim.owner !== owner && !isAbandoned(claim);
      if (isLate() || claims.some(isOther) || !claims.some((claim) => claim.owner === owner)) return undefined;
      const renew = async () => {
        if (!isLate()) await put(Date.now());
      };
      return await renewing({ every: ABANDONED_AFTER / 6, renew }, () => work(isLate));
    } finally {
      await this.#records.remove(owner);
    }
  }

  /** As `alone`, until nobody else claims the name and `work` returns something other than undefined. */
  async inTurn<T>(claimed: Claimed, work: (isLate: () => boolean) => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const done = await this.alone(claimed, work);
      if (done !== undefined) return done;
      await pause();
    }
  }
}

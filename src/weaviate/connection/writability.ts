import { setTimeout } from 'node:timers/promises';
import { WaymarkError } from '../../domain/errors.js';

/** A node as the cluster describes it, with the shards of a collection. */
export interface NodeShards {
  readonly name: string;
  readonly shards?: readonly { readonly vectorIndexingStatus: string }[] | null;
}

/** Milliseconds for which the latest check of the nodes is used. */
const VALIDITY = 2_000;

/** Milliseconds that a write waits for a check: a node that is cut off takes longer. */
const TIMEOUT = 500;

/**
 * Whether the nodes take changes. A node whose disk is nearly full takes none until it is restarted, and Weaviate
 * acknowledges writes nevertheless; searches at that node would then find the former state.
 */
export class Writability {
  readonly #nodes: () => Promise<readonly NodeShards[]>;
  #latest: Promise<string[]> | undefined;
  #until = 0;

  /** `nodes` asks the cluster for its nodes. */
  constructor(nodes: () => Promise<readonly NodeShards[]>) {
    this.#nodes = nodes;
  }

  /** Throws `DISK_FULL` if a node takes no changes. */
  async check(): Promise<void> {
    if (performance.now() >= this.#until) {
      this.#until = performance.now() + VALIDITY;
      this.#latest = this.#readOnly();
    }
    const names = (await Promise.race([this.#latest, setTimeout(TIMEOUT, undefined, { ref: false })])) ?? [];
    if (names.length === 0) return;
    throw new WaymarkError(
      'DISK_FULL',
      `The disk of ${names.join(' and ')} in the cluster is nearly full, and takes no changes: free space on it, and ` +
        'restart the node.',
    );
  }

  /** Names of the nodes that take no changes. */
  async #readOnly(): Promise<string[]> {
    // If the cluster does not answer this, it answers the write with an error.
    const nodes = await this.#nodes().catch(() => []);
    return nodes
      .filter(({ shards }) => shards?.some(({ vectorIndexingStatus }) => vectorIndexingStatus === 'READONLY'))
      .map(({ name }) => name);
  }
}

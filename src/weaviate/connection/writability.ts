import { setTimeout } from 'node:timers/promises';
import { WaymarkError } from '../../domain/errors.js';

/** A node as the cluster describes it, with the shards of a collection. */
export interface NodeShards {
  readonly name: string;
  readonly shards?: readonly { readonly vectorIndexingStatus: string }[] | null;
}

/** Milliseconds for which a look at the nodes counts. */
const LOOK = 2_000;

/** Milliseconds that a write waits for a look: a node that is cut off holds it up for longer. */
const PATIENCE = 500;

/**
 * Whether the nodes take changes. A node whose disk is nearly full takes none until it is restarted, and Weaviate
 * acknowledges writes all the same, for which searches at that node would have the former state.
 */
export class Writability {
  readonly #nodes: () => Promise<readonly NodeShards[]>;
  #look: Promise<string[]> | undefined;
  #until = 0;

  /** `nodes` asks the cluster for its nodes. */
  constructor(nodes: () => Promise<readonly NodeShards[]>) {
    this.#nodes = nodes;
  }

  /** Throws `DISK_FULL` if a node takes no changes. */
  async check(): Promise<void> {
    if (performance.now() >= this.#until) {
      this.#until = performance.now() + LOOK;
      this.#look = this.#readOnly();
    }
    const names = (await Promise.race([this.#look, setTimeout(PATIENCE, undefined, { ref: false })])) ?? [];
    if (names.length === 0) return;
    throw new WaymarkError(
      'DISK_FULL',
      `The disk of ${names.join(' and ')} in the cluster is nearly full, and takes no changes: free space on it, and ` +
        'restart the node.',
    );
  }

  /** Names of the nodes that take no changes. */
  async #readOnly(): Promise<string[]> {
    // A cluster that does not tell answers the write itself with an error.
    const nodes = await this.#nodes().catch(() => []);
    return nodes
      .filter(({ shards }) => shards?.some(({ vectorIndexingStatus }) => vectorIndexingStatus === 'READONLY'))
      .map(({ name }) => name);
  }
}

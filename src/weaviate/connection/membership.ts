import { setTimeout } from 'node:timers/promises';

/** The cluster as one node sees it. */
export interface View {
  /** Names of the nodes that it sees, itself included: the others have answered it. */
  readonly seen: readonly string[];
  /** Names of all nodes that belong to the cluster. */
  readonly all: readonly string[];
}

/** A node that sees too few others. Its answers may be out of date, and writes to it may be lost. */
export class NodeCutOff extends Error {
  constructor(node: string, { seen, all }: View) {
    super(
      `The node ${node} sees ${seen.length} of ${all.length} nodes: start those that are down, ` +
        'and restart it if it was cut off from them',
    );
  }
}

/** Milliseconds from its start for which a probe is valid: Weaviate forgets a node only seconds after it lost it. */
const VALIDITY = 2_000;

/** Milliseconds that a probe may take; a node that waits for others to answer it still counts them. */
const TIMEOUT = 500;

/** A request for the view of the node. */
interface Probe {
  readonly began: number;
  /** Undefined if the node did not answer. */
  readonly view: Promise<View | undefined>;
}

/**
 * Which nodes a node sees. Weaviate counts the replicas that a request needs among the nodes that the asked one has not
 * forgotten: a node that was cut off for some seconds serves reads and writes alone, at any level of consistency, and
 * continues to do so when the network is back, until it is restarted. See docs/decisions/128.
 */
export class Membership {
  readonly #node: string;
  readonly #ask: () => Promise<View>;
  #latest: Probe | undefined;
  /** The view of the latest probe that has ended, and when that began. */
  #shown: { readonly began: number; readonly view: View } | undefined;

  /** `node` is the address of the node that `ask` asks. */
  constructor(node: string, ask: () => Promise<View>) {
    this.#node = node;
    this.#ask = ask;
  }

  /** Asks for the names of all nodes that belong to the cluster. */
  async members(): Promise<readonly string[]> {
    return (await this.#ask()).all;
  }

  /**
   * Starts a probe, unless a recent one is still valid. For a request that begins now and is confirmed at its end.
   * Throws `NodeCutOff` if a recent one showed at most half of all nodes. Returns a promise that never resolves, and
   * rejects with it if the probe shows that: a node waits 20 seconds for the replicas that a read by id needs.
   */
  prepare(): Promise<never> {
    const probe = this.#recent(VALIDITY / 2);
    const known = this.#known();
    if (known && !showsMost(known)) throw new NodeCutOff(this.#node, known);
    const cutOff = new Promise<never>((_, reject) => {
      void probe.view.then((view) => {
        if (view && !showsMost(view)) reject(new NodeCutOff(this.#node, view));
      });
    });
    cutOff.catch(() => {});
    return cutOff;
  }

  /**
   * Whether all others answer the node. That takes seconds while one is lost and not forgotten; a slow one is waited
   * for, since a search asks one replica only.
   */
  async isWhole(): Promise<boolean> {
    const probe = this.#recent(VALIDITY / 2);
    const view = this.#known() ?? (await probe.view);
    return view !== undefined && view.seen.length >= view.all.length;
  }

  /** Throws `NodeCutOff` if the node sees at most half of all nodes at the end of a request, which is now. */
  async confirm(): Promise<void> {
    const known = this.#known();
    if (known && showsMost(known)) return;
    // A node that waits for the answers of others, or names one that fails, counted it when the probe began.
    const view = (await outcome(this.#recent(TIMEOUT))) ?? (await outcome(this.#probe()));
    if (view && !showsMost(view)) throw new NodeCutOff(this.#node, view);
  }

  /** The view of the latest probe, if it is still valid. */
  #known(): View | undefined {
    return this.#shown && performance.now() < this.#shown.began + VALIDITY ? this.#shown.view : undefined;
  }

  /** The latest probe if it began within `age` milliseconds, or a new one. */
  #recent(age: number): Probe {
    return this.#latest && performance.now() - this.#latest.began < age ? this.#latest : this.#probe();
  }

  #probe(): Probe {
    const began = performance.now();
    const view = this.#ask().then(
      (answer) => {
        if (began >= (this.#shown?.began ?? 0)) this.#shown = { began, view: answer };
        return answer;
      },
      () => undefined,
    );
    this.#latest = { began, view };
    return this.#latest;
  }
}

function showsMost({ seen, all }: View): boolean {
  return 2 * seen.length > all.length;
}

/** The view of a probe; undefined if it takes too long. */
function outcome({ began, view }: Probe): Promise<View | undefined> {
  const rest = Math.max(0, began + TIMEOUT - performance.now());
  return Promise.race([view, setTimeout(rest, undefined, { ref: false })]);
}

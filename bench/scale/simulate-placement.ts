import { mean } from '../support/statistics/latencies.js';
import { type Random, seededRandom } from '../support/statistics/random.js';

export interface PlacementOptions {
  readonly nodes: number;
  readonly replicas: number;
  readonly bots: number;
}

/**
 * How full the fullest node is, as a multiple of the mean. The sizes of the bots follow Zipf's law: the second has half
 * as much as the first, the third a third.
 */
export interface SimulatedPlacement {
  /** Each bot is filled before the next one is created. */
  readonly filledInTurn: number;
  /** All bots are created before the first one is filled. */
  readonly createdFirst: number;
}

const ROUNDS = 200;

/**
 * Places the replicas of bots as Weaviate 1.35 does: on the nodes with the most free disk, at random where that is
 * equal. The order in which bots are created is random.
 */
export function simulatePlacement(options: PlacementOptions): SimulatedPlacement {
  return { filledInTurn: fullest(options, { isFilled: true }), createdFirst: fullest(options, { isFilled: false }) };
}

function fullest({ nodes, replicas, bots }: PlacementOptions, { isFilled }: { readonly isFilled: boolean }): number {
  const random = seededRandom(JSON.stringify([nodes, replicas, bots, isFilled]));
  const rounds = Array.from({ length: ROUNDS }, () => {
    const filled = new Float64Array(nodes);
    for (const rank of shuffled(
      Array.from({ length: bots }, (_, i) => i + 1),
      random,
    )) {
      const order = shuffled([...filled.keys()], random);
      if (isFilled) order.sort((a, b) => (filled[a] ?? 0) - (filled[b] ?? 0));
      for (const node of order.slice(0, replicas)) filled[node] = (filled[node] ?? 0) + 1 / rank;
    }
    return Math.max(...filled) / mean([...filled]);
  });
  return mean(rounds);
}

/** The items in a random order: Fisher & Yates. */
function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as Item, all[i] as Item];
  }
  return all;
}

import { quantile } from 'waymark/evaluation';
import { type Random, seededRandom } from '../support/statistics/random.js';

/** Nodes that answer searches, each with some cores. */
export interface LoadOptions {
  readonly nodes: number;
  readonly cores: number;
  /** Seconds that a core is busy with one search, on average. */
  readonly search: number;
  /** Parts of a search that run at the same time. */
  readonly parts: number;
  /** The share of their time that all cores are busy. */
  readonly busy: number;
}

/** Seconds from the arrival of a search to its answer. */
export interface SimulatedLatency {
  readonly p50: number;
  readonly p95: number;
}

/** Searches that are simulated. */
const SEARCHES = 20_000;

/**
 * Simulates searches that arrive at random (a Poisson process) at a random node, which works on the parts of each in
 * the order of their arrival, on the core that is free first. The times of parts are exponentially distributed.
 */
export function simulateLoad({ nodes, cores, search, parts, busy }: LoadOptions): SimulatedLatency {
  const random = seededRandom(JSON.stringify([nodes, cores, search, parts, busy]));
  const free = Array.from({ length: nodes }, () => new Float64Array(cores));
  const rate = (busy * nodes * cores) / search;
  const latencies: number[] = [];
  for (let now = 0, i = 0; i < SEARCHES; i++) {
    now += exponential(random) / rate;
    const ofNode = free[Math.floor(random() * nodes)] as Float64Array;
    let end = now;
    for (let part = 0; part < parts; part++) {
      const core = ofNode.indexOf(Math.min(...ofNode));
      const done = Math.max(now, ofNode[core] as number) + (exponential(random) * search) / parts;
      ofNode[core] = done;
      end = Math.max(end, done);
    }
    latencies.push(end - now);
  }
  return { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) };
}

/** A number of the exponential distribution with the mean 1. */
function exponential(random: Random): number {
  return -Math.log(1 - random());
}

import { setImmediate } from 'node:timers/promises';
import { mulberry32 } from '../../../evaluation/index.js';
import { WaymarkError } from '../../../index.js';
import { ExactIndex } from '../../../vectors/index.js';
import type { Point } from './point.js';
import { UMAP } from './umap.js';

/** How far the layout is: passages that are compared with all others, or rounds in which they are moved. */
export interface LayoutProgress {
  readonly step: 'compare' | 'move';
  readonly done: number;
  readonly total: number;
}

export interface LayoutOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LayoutProgress) => void;
}

/** Nearest passages, itself included, by which each is placed: the default of UMAP. */
const NEIGHBOURS = 15;

/** UMAP needs more points than neighbours, and two neighbours at least. */
const FEWEST = 4;

/** Milliseconds of work between two checks of the signal. */
const SLICE = 100;

/**
 * Places vectors so that similar ones are near each other, by UMAP. The same vectors in the same order have the same
 * points. Throws `ABORTED`.
 */
export async function layOut(vectors: readonly Float32Array[], options: LayoutOptions): Promise<Point[]> {
  if (vectors.length < FEWEST) return vectors.map((_, i) => ({ x: (i + 1) / (vectors.length + 1), y: 0.5 }));
  const { ids, distances } = await nearest(vectors, options);
  const umap = new UMAP({ nNeighbors: ids[0]?.length ?? 0, random: mulberry32(1) });
  umap.setPrecomputedKNN(ids, distances);
  // As their neighbours are given, only the number of vectors counts.
  const rounds = umap.initializeFit(vectors.map(() => []));
  await inSlices(rounds, { ...options, step: 'move' }, () => umap.step());
  return fitted(umap.getEmbedding());
}

/** The ids of the nearest vectors of each, itself first, with cosine distances. */
async function nearest(
  vectors: readonly Float32Array[],
  options: LayoutOptions,
): Promise<{ readonly ids: number[][]; readonly distances: number[][] }> {
  const index = new ExactIndex({ dimensions: vectors[0]?.length ?? 0 });
  for (const [i, vector] of vectors.entries()) index.add(i, vector);
  const count = Math.min(NEIGHBOURS, vectors.length - 1);
  const [ids, distances]: [number[][], number[][]] = [[], []];
  await inSlices(vectors.length, { ...options, step: 'compare' }, (i) => {
    const found = index.search(vectors[i] as Float32Array, { limit: count });
    // If many vectors are equal, the vector itself may be missing.
    const others = found.filter(({ id }) => id !== i).slice(0, count - 1);
    ids.push([i, ...others.map(({ id }) => id)]);
    distances.push([0, ...others.map(({ score }) => Math.max(0, 1 - score))]);
  });
  return { ids, distances };
}

/** Works from 0 up to a total, and lets the process do other things in between. */
async function inSlices(
  total: number,
  { step, signal, onProgress }: LayoutOptions & Pick<LayoutProgress, 'step'>,
  work: (i: number) => void,
): Promise<void> {
  let began = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < total; i++) {
    if (performance.now() - began >= SLICE) {
      onProgress({ step, done: i, total });
      await setImmediate();
      if (signal.aborted) {
        throw new WaymarkError('ABORTED', 'The map was interrupted; nothing was written.', { cause: signal.reason });
      }
      began = performance.now();
    }
    work(i);
  }
  onProgress({ step, done: total, total });
}

/** Points from 0 to 1 in the longer direction, in the middle of the other. */
function fitted(points: readonly (readonly number[])[]): Point[] {
  const ranges = [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const point of points) {
      low = Math.min(low, point[axis] ?? 0);
      high = Math.max(high, point[axis] ?? 0);
    }
    return { middle: (low + high) / 2, length: high - low };
  });
  const length = Math.max(...ranges.map((range) => range.length)) || 1;
  const coordinate = (point: readonly number[], axis: number) =>
    Number((0.5 + ((point[axis] ?? 0) - (ranges[axis]?.middle ?? 0)) / length).toFixed(4));
  return points.map((point) => ({ x: coordinate(point, 0), y: coordinate(point, 1) }));
}

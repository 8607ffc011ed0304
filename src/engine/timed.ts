import type { Embedder } from '../embed/embedder.js';
import type { PassageStore } from '../storage/passage-store.js';

/** What the time of a search goes to; what is left of it is fusing and putting together. */
export type Stage = 'embed' | 'vectors' | 'postings' | 'shapes' | 'read';

/** Told what a part of a search took. */
export type OnStage = (stage: Stage, milliseconds: number) => void;

const STAGE_OF: ReadonlyMap<PropertyKey, Stage> = new Map<keyof PassageStore | keyof Embedder, Stage>([
  ['embedQuery', 'embed'],
  ['ready', 'vectors'],
  ['nearest', 'vectors'],
  ['similarities', 'vectors'],
  ['meanSimilarity', 'vectors'],
  ['matching', 'postings'],
  ['matchScores', 'postings'],
  ['termsIn', 'postings'],
  ['shapes', 'shapes'],
  ['passages', 'read'],
  ['windows', 'read'],
]);

/** The same embedder or store, which tells how long its part of each search took. */
export function timed<Part extends PassageStore | Embedder>(part: Part, onStage: OnStage): Part {
  return new Proxy(part, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      const stage = STAGE_OF.get(name);
      if (!stage) return value.bind(target);
      return async (...given: unknown[]) => {
        const started = performance.now();
        try {
          return await value.apply(target, given);
        } finally {
          onStage(stage, performance.now() - started);
        }
      };
    },
  });
}

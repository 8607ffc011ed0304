/**
 * The stages of a search: `embed` computes the query's embedding; `vectors` and `postings` find candidates; `features`
 * reads their lengths and subtypes; `read` reads the hits with their neighbours.
 */
export type Stage = 'embed' | 'vectors' | 'postings' | 'features' | 'read';

/** Called with the milliseconds that a part of a search took. A stage may be reported several times. */
export type OnStage = (stage: Stage, milliseconds: number) => void;

/** Runs work and reports how long it took, unless it fails; for a promise, the time until it resolves. */
export function timed<T>(
  work: () => T,
  { stage, onStage }: { readonly stage: Stage; readonly onStage: OnStage | undefined },
): T {
  if (!onStage) return work();
  const started = performance.now();
  const report = () => onStage(stage, performance.now() - started);
  const result = work();
  if (result instanceof Promise) result.then(report, () => {});
  else report();
  return result;
}

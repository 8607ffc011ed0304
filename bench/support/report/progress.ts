import type { IndexProgress } from 'waymark';

export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Milliseconds before the first line, and between lines. */
const [FIRST, INTERVAL] = [3000, 10_000];

/** Logs the progress of indexing every few seconds. */
export function progressLogger(): (corpus: string, progress: IndexProgress) => void {
  let next = performance.now() + FIRST;
  return (corpus, { phase, files, passages, remaining }) => {
    const { done, total } = phase === 'read' ? files : passages;
    if (total === 0 || performance.now() < next) return;
    next = performance.now() + INTERVAL;
    const left = remaining === undefined ? '' : `, ${Math.round(remaining)} s left`;
    log(`${corpus}: ${done} of ${total} ${phase === 'read' ? 'files read' : 'passages embedded'}${left}`);
  };
}

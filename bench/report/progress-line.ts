import type { IndexProgress } from 'waymark';

/** Tells on stderr how far indexing is, a line every few seconds. */
export function progressLine(): (corpus: string, progress: IndexProgress) => void {
  let next = performance.now() + 3000;
  return (corpus, { phase, files, passages, remaining }) => {
    const { done, total } = phase === 'read' ? files : passages;
    if (total === 0 || performance.now() < next) return;
    next = performance.now() + 10_000;
    const left = remaining === undefined ? '' : `, ${Math.round(remaining)} s left`;
    process.stderr.write(
      `${corpus}: ${done} of ${total} ${phase === 'read' ? 'files read' : 'passages embedded'}${left}\n`,
    );
  };
}

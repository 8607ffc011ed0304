import type { IndexFolderOptions, IndexFolderResult, IndexProgress, SearchEngine } from '../../index.js';
import { ProgressBar, type StepProgress } from '../output/progress-bar.js';
import { onStopSignal } from './stop.js';

type Progress = Required<Pick<IndexFolderOptions, 'signal' | 'onProgress'>>;

/** Runs work that shows a progress bar and that Ctrl-C or SIGTERM aborts. */
export async function withProgressBar<T>(work: (bar: ProgressBar, signal: AbortSignal) => Promise<T>): Promise<T> {
  const bar = new ProgressBar();
  const abort = new AbortController();
  const forget = onStopSignal(() => {
    // At once: a second Ctrl-C ends the process, and the bar has taken the cursor away.
    bar.stop();
    abort.abort(new Error('interrupted'));
  });
  try {
    return await work(bar, abort.signal);
  } finally {
    bar.stop();
    forget();
  }
}

/** `withProgressBar` for work that reports the progress of indexing. */
export function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  return withProgressBar((bar, signal) => work({ signal, onProgress: (progress) => bar.update(stepOf(progress)) }));
}

export function indexWithProgress(
  engine: SearchEngine,
  folder: string,
  options: Pick<IndexFolderOptions, 'ignore' | 'tags' | 'tagRules' | 'verify'>,
): Promise<IndexFolderResult> {
  return withProgress((progress) => engine.indexFolder(folder, { ...options, ...progress }));
}

function stepOf({ phase, files, passages }: IndexProgress): StepProgress {
  const named = phase === 'read' ? { verb: 'Reading', noun: 'file' } : { verb: 'Embedding', noun: 'passage' };
  return { ...named, ...(phase === 'read' ? files : passages) };
}

import type { IndexFolderOptions, IndexFolderResult, SearchEngine } from '../../index.js';
import { ProgressBar } from '../output/progress-bar.js';

type Progress = Required<Pick<IndexFolderOptions, 'signal' | 'onProgress'>>;

/** Runs work that shows a progress bar and that Ctrl-C aborts. */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const bar = new ProgressBar();
  const abort = new AbortController();
  const onInterrupt = () => abort.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  try {
    return await work({ signal: abort.signal, onProgress: (progress) => bar.update(progress) });
  } finally {
    bar.stop();
    process.off('SIGINT', onInterrupt);
  }
}

export function indexWithProgress(
  engine: SearchEngine,
  folder: string,
  options: Pick<IndexFolderOptions, 'ignore' | 'tags' | 'tagRules' | 'verify'>,
): Promise<IndexFolderResult> {
  return withProgress((progress) => engine.indexFolder(folder, { ...options, ...progress }));
}

import watcher from '@parcel/watcher';
import { WaymarkError } from '../../domain/errors.js';

/** What is told of the files below a folder. */
export interface FileListener {
  /** Absolute paths at which something was written, renamed or removed. */
  onPaths(paths: readonly string[]): void;
  /** Changes were lost, or can no longer be seen: look at all files. */
  onLoss(): void;
}

/** Skipped by `walk` as well. Fewer folders to watch start faster. */
const SKIPPED = ['**/node_modules/**', '**/.git/**'];

/** Watches the files below a folder until the returned function is called. Throws `FOLDER_UNWATCHABLE`. */
export async function watchFiles(root: string, { onPaths, onLoss }: FileListener): Promise<() => Promise<void>> {
  const onEvents: watcher.SubscribeCallback = (error, events) => {
    if (error) onLoss();
    else onPaths(events.map(({ path }) => path));
  };
  try {
    const subscription = await watcher.subscribe(root, onEvents, { ignore: SKIPPED });
    return () => subscription.unsubscribe();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = 'raise fs.inotify.max_user_watches, or run waymark index instead';
    throw new WaymarkError('FOLDER_UNWATCHABLE', `${root} cannot be watched (${reason}): ${advice}.`, { cause });
  }
}

import { runtimeUnavailable } from '../../embed/runtime.js';
import { SQLITE, sqliteUnavailable } from '../../sqlite/connection/sqlite.js';
import { hnswUnavailable } from '../../vectors/hnsw/hnswlib.js';
import type { Finding } from '../finding.js';

/** Checks that the native modules can be loaded. */
export function checkNativeModules(): Finding[] {
  const modules = [
    {
      name: SQLITE,
      failure: sqliteUnavailable(),
      without: 'nothing works',
      state: 'damaged',
    },
    {
      name: 'onnxruntime-node',
      failure: runtimeUnavailable(),
      without: 'no text can be embedded and only --mode lexical works',
      state: 'damaged',
    },
    {
      name: 'hnswlib-node',
      failure: hnswUnavailable(),
      without: 'every search scans all vectors, which is fast enough up to about 1,500,000 passages',
      state: 'warning',
    },
  ] as const;
  const failed = modules.flatMap(({ name, failure, without, state }): Finding[] =>
    failure === undefined
      ? []
      : [
          {
            check: 'native modules',
            state,
            message: `${name} cannot be loaded (${firstLineOf(failure)}); without it ${without}.`,
            remedy: 'npm install --foreground-scripts, which shows why a package cannot be built',
          },
        ],
  );
  if (failed.length > 0) return failed;
  const names = modules.map(({ name }) => name).join(', ');
  return [{ check: 'native modules', state: 'ok', message: `${names} can be loaded.` }];
}

/** The first line of the message of an error's cause, or of its own. */
function firstLineOf(error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.split('\n')[0] ?? message;
}

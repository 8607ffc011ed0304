import { unavailable } from '../errors/http-error.js';
import type { Serving } from '../serving.js';

/** Refuses what adds to the files that wait to be indexed while there are too many. */
export function checkQueue({ host, settings }: Pick<Serving, 'host' | 'settings'>): void {
  if (host.status().pending >= settings.pendingLimit)
    throw unavailable('The indexing queue is full: try again later.', 30);
}

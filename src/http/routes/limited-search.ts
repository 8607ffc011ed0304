import type { FastifyReply, FastifyRequest } from 'fastify';
import { aborted, abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import { unavailable } from '../errors/http-error.js';
import { parametersOf } from '../parameters.js';
import type { Serving } from '../serving.js';

/**
 * Runs a search, measures it, and logs its query if queries are logged. Refuses it if too many are running, in total or
 * for its bot; a bot that has none running may wait for its turn. `prepare` resolves to the search. A search that waits
 * for its model to open does not count as running.
 */
export async function limitedSearch<Answer extends { readonly passages: readonly unknown[] }>(
  prepare: (signal: AbortSignal) => Promise<() => Promise<Answer>>,
  {
    searches,
    metrics,
    settings,
    request,
    reply,
  }: Serving & { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Answer> {
  if (settings.logQueries) request.queryText = parametersOf(request).get('query');
  try {
    // A search that is answered has no place any more, even if it ignores the signal.
    const result = await abortOnDisconnect(
      async (signal) => {
        const search = await prepare(signal);
        return searches.tryRun(() => Promise.race([search(), aborted(signal)]), { owner: request.targetId, signal });
      },
      { reply, timeout: settings.answerTimeout, changes: false },
    );
    if (!result) throw unavailable('Too many searches are running: try again in a moment.', 1);
    metrics.searched(result.done.passages.length > 0 ? 'found' : 'none');
    return result.done;
  } catch (error) {
    metrics.searched('failed');
    throw error;
  }
}

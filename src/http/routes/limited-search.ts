import type { FastifyRequest } from 'fastify';
import { unavailable } from '../errors/http-error.js';
import { parametersOf } from '../parameters.js';
import type { Serving } from '../serving.js';

/**
 * Runs a search unless too many are running, in all or of its bot, measures it, and logs its query if queries are
 * logged.
 */
export async function limitedSearch<Answer extends { readonly passages: readonly unknown[] }>(
  work: () => Promise<Answer>,
  { searches, metrics, request, settings }: Serving & { readonly request: FastifyRequest },
): Promise<Answer> {
  if (settings.logQueries) request.queryText = parametersOf(request).get('query');
  try {
    const result = await searches.tryRun(work, request.targetId);
    if (!result) throw unavailable('Too many searches are running: try again in a moment.', 1);
    metrics.searched(result.done.passages.length > 0 ? 'found' : 'none');
    return result.done;
  } catch (error) {
    metrics.searched('failed');
    throw error;
  }
}

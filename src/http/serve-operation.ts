import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Host } from '../index.js';
import { baseUrl } from './base-url.js';
import { required } from './caller.js';
import { whileAwaited } from './hang-up.js';
import { unavailable } from './http-error.js';
import type { Metrics } from './metrics.js';
import type { Operation } from './operation.js';
import { authorized } from './permission.js';
import type { Places } from './places.js';
import { queryReader } from './query-string.js';
import type { Settings } from './server-options.js';
import { validated } from './validated.js';

export interface Serving {
  readonly host: Host;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly places: Places;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Bot or workspace that the request is for, once it is authorized. */
    targetId: string;
  }
}

/** Routes an operation: authorized before its body is read, validated before any work. */
export function serveOperation(app: FastifyInstance, operation: Operation, serving: Serving): void {
  const { host, settings } = serving;
  const { permission, parts } = operation;
  const read = reader(operation);
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(parts.body && { bodyLimit: 1024 * 1024 }),
    async onRequest(request) {
      request.targetId = await authorized(request, { permission, host });
    },
    async handler(request, reply) {
      const given = read(request);
      if (operation.embeds) checkQueue(serving);
      const target = await (permission === 'admin'
        ? host.workspace(request.targetId, { bots: required(request).bots })
        : host.bot(request.targetId));
      const base = baseUrl(request, settings.publicUrl);
      const { uploadLimit } = settings;
      const header = (name: string, value: string) => void reply.header(name, value);
      const work = () =>
        whileAwaited(
          (signal) => operation.handle({ request: given, target, base, uploadLimit, header, signal } as never),
          {
            reply,
            timeout: settings.answerTimeout,
          },
        );
      return operation.searches ? search(work, { ...serving, request }) : work();
    },
  });
}

/** The parts of a request as one object, checked. */
function reader({ parts: { path, query, body } }: Operation): (request: FastifyRequest) => object {
  const readQuery = query && queryReader(query);
  return (request) => ({
    ...(body && validated(body, { value: request.body, invalid: 'InvalidPayload' })),
    ...(query && readQuery && validated(query, { value: readQuery(request.url), invalid: 'InvalidQuery' })),
    ...(path && validated(path, { value: request.params, invalid: 'InvalidQuery' })),
  });
}

function checkQueue({ host, settings }: Serving): void {
  if (host.status().pending < settings.pendingLimit) return;
  throw unavailable('Too many files wait to be indexed already: come back when some are done.', 30);
}

async function search(
  work: () => Promise<object>,
  { places, metrics, request, settings }: Serving & { request: FastifyRequest },
): Promise<object> {
  if (settings.logQueries) request.queryText = queryText(request);
  try {
    const result = await places.do(work);
    if (!result) throw unavailable('Too many searches are under way: ask again in a moment.', 1);
    metrics.searched((result.done as { passages: unknown[] }).passages.length > 0 ? 'found' : 'none');
    return result.done;
  } catch (error) {
    metrics.searched('failed');
    throw error;
  }
}

function queryText(request: FastifyRequest): string | null {
  return new URLSearchParams(request.url.split('?')[1]).get('query');
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type HttpOperation, hasBody } from '../../contract/operation.js';
import type { Operations } from '../../contract/operations/index.js';
import { validateRequest } from '../../contract/validate.js';
import { callerOf } from '../access/caller.js';
import { authorize } from '../access/permission.js';
import { abortOnDisconnect } from '../connections/abort-on-disconnect.js';
import { parametersOf } from '../parameters.js';
import type { Serving } from '../serving.js';
import { baseUrl } from './base-url.js';
import { checkQueue } from './check-queue.js';
import { HANDLERS, type Handler } from './handlers.js';
import { limitedSearch } from './limited-search.js';
import { queryReader } from './query-reader.js';

/** Prepares an operation that searches. */
type Search = (signal: AbortSignal) => Promise<() => Promise<{ readonly passages: readonly unknown[] }>>;

declare module 'fastify' {
  interface FastifyRequest {
    /** The bot or workspace that the request is for, once it is authorized. */
    targetId: string;
  }
}

/** Routes an operation: it is authorized before its body is read, and validated before any work. */
export function serveOperation(app: FastifyInstance, operation: Operations[keyof Operations], serving: Serving): void {
  const { host, settings } = serving;
  const { method, path, permission } = operation;
  const traits: HttpOperation = operation;
  const read = requestReader(operation);
  const handle = HANDLERS[operation.id] as Handler<HttpOperation>;
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    async onRequest(request) {
      request.targetId = await authorize(request, { operation: traits, host });
    },
    async handler(request, reply) {
      const valid = validateRequest(traits, read(request));
      if (traits.embeds) checkQueue(serving);
      const { workspaceId: workspace, bots } = callerOf(request);
      const targetOf = (signal: AbortSignal): Promise<unknown> =>
        permission === 'admin'
          ? host.workspace(workspace, { bots })
          : host.bot(request.targetId, { workspace, signal });
      const context = {
        base: baseUrl(request, settings.publicUrl),
        uploadLimit: settings.uploadLimit,
        setHeader: (name: string, value: string) => void reply.header(name, value),
      };
      const prepare = async (signal: AbortSignal) => {
        const target = (await targetOf(signal)) as never;
        return () => handle(valid, { ...context, target, signal });
      };
      if (traits.searches) return limitedSearch(prepare as Search, { ...serving, request, reply });
      const work = async (signal: AbortSignal) => (await prepare(signal))();
      return abortOnDisconnect(work, { reply, timeout: settings.answerTimeout, changes: method !== 'GET' });
    },
  });
}

/** Collects the fields of a request, which travel in path, headers, query and body. */
function requestReader(operation: HttpOperation): (request: FastifyRequest) => unknown {
  const readQuery = queryReader(operation);
  const inHeaders = Object.entries(operation.requestHeaders ?? {});
  return (request) => {
    const { params, url, body, headers } = request;
    const given = hasBody(operation.method) ? body : readQuery(url, parametersOf(request));
    // Without a body, all fields have their defaults.
    const others = given === undefined ? {} : given;
    const isObject = typeof others === 'object' && others !== null && !Array.isArray(others);
    const sent = Object.fromEntries(inHeaders.map(([field, header]) => [field, headers[header]]));
    return isObject ? { ...others, ...sent, ...(params as object) } : others;
  };
}

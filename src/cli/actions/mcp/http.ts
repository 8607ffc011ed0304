import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { checkLoopback } from '../../../http/access/loopback.js';
import { MAX_MESSAGE } from './messages.js';
import { type Refusal, refusalOf, refusalOfBatch, refuse } from './refusal.js';
import { isOf, RunningCalls, SESSION } from './running-calls.js';
import { ErrorCode, StreamableHTTPServerTransport } from './sdk.js';
import { createMcpServer, type ServerOptions } from './server.js';

const isGreeting = isOf('initialize');
const isCancelling = isOf('notifications/cancelled');
const isOther = (message: unknown) => !isCancelling(message);

/**
 * The protocol over streamable HTTP at `/mcp`: each request has a server of its own. A session is only a name, by which
 * a client cancels its calls: nothing is kept for it, and the calls of a batch run to their end. Only requests to a
 * loopback name are answered, from programs or loopback pages: another site's page could reach the port by rebinding
 * its own name.
 */
export function createMcpHttp(options: ServerOptions): Server {
  const calls = new RunningCalls();
  return createServer(async (request, response) => {
    try {
      const refused = whyRefused(request);
      if (refused) return fail(response, ...refused);
      const body = await jsonOf(request);
      if (body === undefined) {
        return fail(response, 400, `The body must be JSON of at most ${MAX_MESSAGE} bytes.`);
      }
      // The first version of the protocol over this transport has batches, which the SDK takes apart.
      const refusal = Array.isArray(body) ? refusalOfBatch(body) : refusalOf(body);
      if (refusal) return answer(response, refusal.error.code === ErrorCode.InvalidParams ? 200 : 400, refusal);
      const messages = [body].flat();
      // Not left to the SDK: it would look among the calls of this request, and answer none that it stops.
      for (const message of messages.filter(isCancelling)) calls.cancel(request, message);
      if (messages.every(isCancelling)) return void response.writeHead(202).end();
      if (messages.some(isGreeting)) response.setHeader(SESSION, randomUUID());
      const server = createMcpServer(options);
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      const forget = calls.add(request, body, () => {
        if (!response.headersSent) answer(response, 200, cancelled(body));
      });
      response.on('close', () => {
        forget();
        void server.close();
      });
      await server.connect(transport);
      await transport.handleRequest(request, response, Array.isArray(body) ? messages.filter(isOther) : body);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else fail(response, 500, (error as Error).message);
    }
  });
}

function whyRefused({ url, method, headers }: IncomingMessage): [status: number, sentence: string] | undefined {
  try {
    checkLoopback({ headers }, { publicUrl: undefined });
  } catch (error) {
    return [403, (error as Error).message];
  }
  if (url?.split('?')[0] !== '/mcp') return [404, 'The Model Context Protocol is at /mcp.'];
  if (method !== 'POST') return [405, 'POST messages here: there are no sessions and no streams to open.'];
  return undefined;
}

/** The body of a request; undefined if it is too long, or no JSON. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    parts.push(part);
    size += part.length;
    if (size > MAX_MESSAGE) return undefined;
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return undefined;
  }
}

/** The answer to a cancelled call. Its client ignores it, but every HTTP request needs one. */
function cancelled(call: unknown): Refusal {
  return refuse((call as Refusal).id, ErrorCode.ConnectionClosed, 'The call was cancelled.');
}

/** Answers as the protocol has it: an error without the id of a request. */
function fail(response: ServerResponse, status: number, message: string): void {
  answer(response, status, refuse(null, ErrorCode.ConnectionClosed, message));
}

function answer(response: ServerResponse, status: number, refusal: Refusal): void {
  const allow = status === 405 ? { allow: 'POST' } : {};
  // The rest of a body that was not read would be parsed as the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...allow });
  response.end(JSON.stringify(refusal));
}

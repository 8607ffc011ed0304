import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { checkLoopback } from '../../../http/access/loopback.js';
import { StreamableHTTPServerTransport } from './sdk.js';
import { createMcpServer, type ServerOptions } from './server.js';

/** Bytes of a request; a query is a few hundred. */
const MAX_BODY = 256 * 1024;

/**
 * The protocol over streamable HTTP at `/mcp`, without sessions: each request has a server of its own. Only requests to
 * a loopback name are answered, from programs or loopback pages: another site's page could reach the port by rebinding
 * its own name.
 */
export function createMcpHttp(options: ServerOptions): Server {
  return createServer(async (request, response) => {
    try {
      const refused = refusalOf(request);
      if (refused) return refuse(response, ...refused);
      const body = await jsonOf(request);
      if (body === undefined) {
        return refuse(response, 400, `The body must be JSON of at most ${MAX_BODY} bytes.`);
      }
      const server = createMcpServer(options);
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      response.on('close', () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, body);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, (error as Error).message);
    }
  });
}

function refusalOf({ url, method, headers }: IncomingMessage): [status: number, sentence: string] | undefined {
  try {
    checkLoopback({ headers }, { publicUrl: undefined, corsOrigins: [] });
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
    if (size > MAX_BODY) return undefined;
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return undefined;
  }
}

/** Answers as the protocol has it: an error without the id of a request. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const body = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  const allow = status === 405 ? { allow: 'POST' } : {};
  // What is left of a body that was not read would be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...allow });
  response.end(JSON.stringify(body));
}

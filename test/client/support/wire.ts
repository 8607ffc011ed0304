import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ClientOptions, WaymarkClient } from 'waymark';
import { createClientWithClock } from '#src/client/create-client.js';

/** What the other side answers: JSON, a text as it is, a broken connection, or nothing, forever. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: object | string }
  | 'break'
  | 'silence';

export interface Arrived {
  /** Method and target, as in the request line. */
  readonly line: string;
  /** Without those that fetch adds to every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Wire {
  readonly url: string;
  readonly client: WaymarkClient;
  readonly arrived: readonly Arrived[];
  /** Just the request lines. */
  readonly lines: readonly string[];
  /** The waits of the client, in milliseconds; they take no time. */
  readonly waits: readonly number[];
}

export const TOKEN = 'wm_0123456789abcdef';

const OF_FETCH = ['host', 'connection', 'accept-language', 'sec-fetch-mode', 'user-agent', 'accept-encoding'];

/**
 * The other side of the wire. It gives literal answers in order, one for each request; `{url}` in them is its own
 * address. `random` is what the client's clock returns for jitter.
 */
export async function wire(
  answers: readonly Answer[],
  { random = 0, ...options }: Partial<ClientOptions> & { readonly random?: number } = {},
): Promise<Wire> {
  const arrived: Arrived[] = [];
  const lines: string[] = [];
  const waits: number[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[lines.length] ?? { status: 500, body: 'a request that the test did not expect' };
    lines.push(`${request.method} ${request.url}`);
    arrived.push(await arrivedOf(request));
    give(answer, { response, url });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createClientWithClock(
    { apiUrl: url, token: TOKEN, botId: 'bot-1', workspaceId: 'workspace-1', ...options },
    {
      async wait(milliseconds) {
        waits.push(milliseconds);
      },
      random: () => random,
    },
  );
  return {
    url,
    client,
    arrived,
    lines,
    waits,
  };
}

async function arrivedOf(request: IncomingMessage): Promise<Arrived> {
  const headers = Object.entries(request.headers).filter(([name]) => !OF_FETCH.includes(name));
  return {
    line: `${request.method} ${request.url}`,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: await text(request),
  };
}

function give(answer: Answer, { response, url }: { response: ServerResponse; url: string }): void {
  if (answer === 'silence') return;
  if (answer === 'break') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end((typeof body === 'string' ? body : JSON.stringify(body)).replaceAll('{url}', url));
}

import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createHashEmbedder, type Host, type HostOptions, openHost } from 'waymark';
import { createServer } from '#src/http/create-server.js';
import type { ServerOptions } from '#src/http/server-options.js';
import { folderOf } from '../support/folder.js';
import { until } from '../support/until.js';
import { checkAnswers } from './openapi-check.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect; the document is what checks the shape
  readonly body: any;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON, unless it is bytes or a string. */
  readonly body?: unknown;
}

export interface Service {
  /** Where it is reached: on 127.0.0.1, whatever it is bound to. */
  readonly url: string;
  readonly host: Host;
  readonly workspaceId: string;
  readonly botId: string;
  /** The token of an administrator. */
  readonly token: string;
  /** Sends a request as the administrator, for the bot; undefined removes a header. */
  ask(path: string, asked?: Asked): Promise<Answer>;
  /** Uploads a file and waits until it is indexed or has failed. */
  put(key: string, content: string | Uint8Array, options?: object): Promise<Answer['body']>;
  /** Stops it as a signal would; may be called before the test has finished. */
  close(): Promise<void>;
}

/** A service on its own port with the hash embedder and a new database; stopped when the test has finished. */
export async function serviceOf(
  { boundTo = '127.0.0.1', ...options }: ServerOptions & { readonly boundTo?: string } = {},
  hosting: Partial<HostOptions> = {},
): Promise<Service> {
  const database = hosting.database ?? path.join(folderOf(), 'waymark.db');
  const host = await openHost({ model: createHashEmbedder(), ...hosting, database });
  const app = await createServer(host, options);
  await checkAnswers(app);
  await app.listen({ host: boundTo, port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= app.close().then(() => host.close());
    return closed;
  };
  onTestFinished(close);
  const [workspace] = await host.listWorkspaces();
  const { id: workspaceId } = workspace ?? (await host.createWorkspace('acme'));
  const administration = await host.workspace(workspaceId);
  const { bots } = await administration.listBots();
  const { id: botId } = bots[0] ?? (await administration.createBot({ name: 'support' })).bot;
  const { token } = await host.createToken({ workspaceId, name: 'test', role: 'admin' });
  const own = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId, 'x-bot-id': botId };
  const ask = (to: string, { method = 'GET', headers = {}, body }: Asked = {}) =>
    answer(new URL(to, url), { method, headers: { ...own, ...headers }, body });
  return { url, host, workspaceId, botId, token, ask, put: putter(ask), close };
}

function putter(ask: Service['ask']): Service['put'] {
  return async (key, content, options = {}) => {
    const size = Buffer.byteLength(content);
    const { body } = await ask('/v1/files', { method: 'PUT', body: { key, size, index: true, ...options } });
    await answer(new URL(body.file.uploadUrl), { method: 'PUT', headers: {}, body: content });
    return settled(ask, body.file.id);
  };
}

/** A file once nothing is pending. */
export async function settled(ask: Service['ask'], id: string): Promise<Answer['body']> {
  let file: Answer['body'];
  await until(async () => {
    file = (await ask(`/v1/files/${encodeURIComponent(id)}`)).body.file;
    return !/pending$/.test(file.status);
  });
  return file;
}

/** One request, raw. */
export async function answer(url: URL, { method, headers = {}, body }: Asked): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const sent = Object.entries({
    ...(body !== undefined && { 'content-type': isRaw ? 'text/markdown' : 'application/json' }),
    ...headers,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));
  const response = await fetch(url, {
    method: method ?? 'GET',
    headers: sent,
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text };
}

/** The part of an error that tests compare. */
export function refusal({ status, body }: Answer): readonly [status: number, code: number, type: string] {
  return [status, body.code, body.type];
}

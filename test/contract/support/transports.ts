import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient, createHashEmbedder, openHost, WaymarkError } from 'waymark';
import { type HttpOperation, hasBody, placeOf } from '#src/contract/operation.js';
import { OPERATIONS } from '#src/contract/operations/index.js';
import { createServer } from '#src/http/create-server.js';
import { folderOf } from '../../support/folder.js';
import { until } from '../../support/until.js';

/** What came of a request: its answer, or the code and message of its error. */
export type Outcome = { readonly answer: unknown } | { readonly code: string; readonly message: string };

/** Makes a request of an operation, as a caller without types does. */
export type Transport = (id: keyof typeof OPERATIONS, request: unknown) => Promise<Outcome>;

/** The ways to one host with a bot named `support`, which has the indexed file `a.md`. */
export async function transports(): Promise<Readonly<Record<'in process' | 'client' | 'raw HTTP', Transport>>> {
  const host = await openHost({ database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { id: workspaceId } = await host.createWorkspace('acme');
  const bots = await host.workspace(workspaceId);
  const {
    bot: { id: botId },
  } = await bots.createBot({ name: 'support' });
  const files = await host.bot(botId);
  const tags = { kind: 'guide' };
  await files.uploadFile({ key: 'a.md', content: '# A\n\nA kettle.\n\n## B\n\nA lid.\n', tags, index: true });
  await until(() => host.status().pending === 0);
  const { token } = await host.createToken({ workspaceId, name: 'test', role: 'admin' });
  const server = await createServer(host, { requestsPerMinute: 10_000_000 });
  const apiUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
  });
  const client = createClient({ apiUrl, token, botId, workspaceId });
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId, 'x-workspace-id': workspaceId };
  return {
    'in process': (id, request) => outcome(() => methodOf(/Bot|Workspace/.test(id) ? bots : files, id)(request)),
    client: (id, request) => outcome(() => methodOf(client, id)(request), apiUrl),
    'raw HTTP': (id, request) => outcome(() => rawRequest(OPERATIONS[id], { request, apiUrl, headers }), apiUrl),
  };
}

function methodOf(target: object, id: string): (request: unknown) => Promise<unknown> {
  // upsertFile is not a method of the client: it sends that request as the first part of uploadFile.
  const method: unknown = Reflect.get(target, id);
  if (typeof method !== 'function') throw new RangeError(`no method ${id}`);
  return (request) => method.call(target, request);
}

async function outcome(work: () => Promise<unknown>, apiUrl = ''): Promise<Outcome> {
  try {
    return { answer: comparable(await work(), apiUrl) };
  } catch (error) {
    if (error instanceof WaymarkError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** Without what differs between two requests, or between paths and URLs. */
function comparable(answer: unknown, apiUrl: string): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(apiUrl === '' ? /(?!)/g : apiUrl, '')
    .replace(/"updatedAt":"[^"]+"/g, '"updatedAt":""')
    .replace(/\/v1\/uploads\/[\w-]+/g, '/v1/uploads/secret');
  return JSON.parse(text);
}

/** Encodes by hand: path fields percent-encoded, lists in a query repeated, filters as JSON. */
async function rawRequest(
  operation: HttpOperation,
  { request, apiUrl, headers }: { request: unknown; apiUrl: string; headers: Readonly<Record<string, string>> },
): Promise<unknown> {
  const fields = Object.entries(request as object).filter(([, value]) => value !== undefined);
  const given = Object.fromEntries(fields);
  const target = operation.path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(given[field])));
  const inPlace = (place: string) => fields.filter(([field]) => placeOf(operation, field) === place);
  const pairs = inPlace('query').flatMap(([field, value]): [string, string][] => {
    if (field === 'ids') return [value].flat().map((item) => [field, String(item)]);
    return [[field, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
  const sent = inPlace('header').map(([field, value]) => [operation.requestHeaders?.[field] ?? field, String(value)]);
  const body = hasBody(operation.method) && JSON.stringify(Object.fromEntries(inPlace('body')));
  const response = await fetch(`${apiUrl}${target}?${new URLSearchParams(pairs)}`, {
    method: operation.method,
    headers: { ...headers, ...Object.fromEntries(sent), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const answer = (await response.json()) as { message: string; metadata: { code: 'INVALID_ARGUMENT' } };
  if (response.ok) return answer;
  throw new WaymarkError(answer.metadata.code, answer.message);
}

import { expect, onTestFinished, test, vi } from 'vitest';
import { createHashEmbedder, type Embedder } from 'waymark';
import { heldEmbedder } from '../support/held-embedder.js';
import { until } from '../support/until.js';
import { answer, serviceOf } from './service.js';

test('/healthz and /readyz answer without a token', async () => {
  const { ask } = await serviceOf();
  const headers = { authorization: undefined };
  expect((await ask('/healthz', { headers })).body).toEqual({ status: 'ok' });
  expect((await ask('/readyz', { headers })).body).toEqual({ status: 'ready', pending: 0 });
});

test('/readyz refuses while no waiting upload has made progress for five minutes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { embedder: model, asked, letGo } = heldEmbedder();
  const { ask, host, botId } = await serviceOf({}, { model });
  await (await host.bot(botId)).uploadFile({ key: 'a.md', content: 'A kettle.', index: true });
  await asked;
  vi.advanceTimersByTime(4 * 60_000);
  expect((await ask('/readyz')).body).toEqual({ status: 'ready', pending: 1 });
  vi.advanceTimersByTime(2 * 60_000);
  expect(await ask('/readyz')).toMatchObject({
    status: 503,
    body: {
      message: 'The service is not ready: of 1 waiting uploads none has made progress for 6 minutes. Restart it.',
    },
  });
  letGo();
  await until(() => host.status().pending === 0);
  expect((await ask('/readyz')).body).toEqual({ status: 'ready', pending: 0 });
});

test('/metrics: requests by route and status, searches by outcome, pending files', async () => {
  const hash = createHashEmbedder();
  const embedQuery: Embedder['embedQuery'] = async (query) => {
    if (query === 'lamp') throw new Error('no memory');
    return hash.embedQuery(query);
  };
  const { ask, put, host } = await serviceOf({}, { model: { ...hash, embedQuery } });
  await ask('/v1/files/search?query=kettle');
  await put('a.md', 'A kettle.');
  await until(() => host.status().pending === 0);
  await ask('/v1/files/search?query=kettle');
  await ask('/v1/files/search?query=lamp');
  await ask('/v1/files/search?query=');
  await ask('/nowhere');
  const { body, headers } = await ask('/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
  for (const line of [
    'waymark_http_request_duration_seconds_count{method="GET",route="/v1/files/search",status="200"} 2',
    'waymark_http_request_duration_seconds_count{method="GET",route="/v1/files/search",status="400"} 1',
    'waymark_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
    'waymark_http_request_duration_seconds_count{method="PUT",route="/v1/uploads/:secret",status="200"} 1',
    'waymark_searches_total{outcome="found"} 1',
    'waymark_searches_total{outcome="none"} 1',
    'waymark_searches_total{outcome="failed"} 1',
    'waymark_searches_running 0',
    'waymark_pending_files 0',
  ]) {
    expect(body.split('\n')).toContain(line);
  }
});

test('the log has one line for each request, without tokens, upload secrets, keys and queries', async () => {
  const lines: string[] = [];
  const { ask, token, botId } = await serviceOf({ log: { write: (line) => lines.push(line) } });
  const { file } = (await ask('/v1/files', { method: 'PUT', body: { key: 'private.md', size: 2 } })).body;
  await answer(new URL(file.uploadUrl), { method: 'PUT', body: 'ab' });
  await answer(new URL(`${file.uploadUrl}/typo`), { method: 'PUT', body: 'ab' });
  await ask('/v1/files/private.md');
  const searched = await ask('/v1/files/search?query=confidential');
  const log = lines.join('');
  expect(log).not.toMatch(/confidential|private\.md/);
  expect(log).not.toContain(token);
  expect(log).not.toContain(token.slice(-43));
  expect(log).not.toContain(file.uploadUrl.split('/').at(-1));
  const id = searched.headers.get('x-request-id');
  const [line, ...more] = lines.map((text) => JSON.parse(text)).filter(({ reqId }) => reqId === id);
  expect(more).toEqual([]);
  expect(line).toMatchObject({ method: 'GET', route: '/v1/files/search', status: 200, target: botId });
});

test('without logRequests the log has errors only', async () => {
  const lines: string[] = [];
  const embedQuery = async () => Promise.reject(new Error('no memory'));
  const model = { ...createHashEmbedder(), embedQuery };
  const log = { write: (line: string) => lines.push(line) };
  const { ask, put } = await serviceOf({ logRequests: false, log }, { model });
  await put('a.md', 'A kettle.');
  expect(lines).toEqual([]);
  const failed = await ask('/v1/files/search?query=kettle');
  expect(lines).toEqual([expect.stringContaining(failed.body.id)]);
});

test('the log contains queries with logQueries', async () => {
  const lines: string[] = [];
  const { ask } = await serviceOf({ logQueries: true, log: { write: (line) => lines.push(line) } });
  await ask('/v1/files/search?query=my%20question?');
  expect(lines.join('')).toContain('"query":"my question?"');
});

test('/openapi.json says of every operation, uploads included, that it may take too long', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/openapi.json', { headers: { authorization: undefined } });
  const operations = Object.values<Record<string, { operationId: string; responses: object }>>(body.paths).flatMap(
    (methods) => Object.values(methods),
  );
  const silent = operations.filter(({ responses }) => !Object.hasOwn(responses, '504'));
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test('/openapi.json requires a body only where one of its fields is required', async () => {
  const { ask, put, workspaceId } = await serviceOf();
  const { body } = await ask('/openapi.json', { headers: { authorization: undefined } });
  const operations = Object.values<
    Record<string, { operationId: string; requestBody?: { required: boolean } | undefined }>
  >(body.paths).flatMap((methods) => Object.values(methods));
  const withBody = (required: boolean) =>
    operations.filter(({ requestBody }) => requestBody?.required === required).map(({ operationId }) => operationId);
  expect(withBody(true).sort()).toEqual([
    'createKnowledgeBase',
    'setFilePassages',
    'updateKnowledgeBase',
    'upload',
    'upsertFile',
  ]);
  expect(withBody(false).sort()).toEqual([
    'copyFile',
    'createBot',
    'updateBot',
    'updateFileMetadata',
    'updateWorkspace',
  ]);
  const { id } = await put('a.md', 'A kettle.');
  const sent = [
    ['POST', `/v1/files/${id}/copy.md`],
    ['PUT', `/v1/files/${id}`],
    ['PUT', `/v1/admin/workspaces/${workspaceId}`],
    ['POST', '/v1/admin/bots'],
  ] as const;
  for (const [method, path] of sent) expect([path, (await ask(path, { method })).status]).toEqual([path, 200]);
});

test('/openapi.json has every operation of the contract, with its parameters and errors', async () => {
  const { ask } = await serviceOf();
  const { body } = await ask('/openapi.json', { headers: { authorization: undefined } });
  expect(body.openapi).toBe('3.1.0');
  const operations = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  expect(operations.sort()).toEqual([
    'delete /v1/admin/bots/{id} deleteBot',
    'delete /v1/files/knowledge-bases/{id} deleteKnowledgeBase',
    'delete /v1/files/{id} deleteFile',
    'get /v1/admin/bots listBots',
    'get /v1/admin/bots/{id} getBot',
    'get /v1/admin/workspaces listWorkspaces',
    'get /v1/admin/workspaces/{id} getWorkspace',
    'get /v1/files listFiles',
    'get /v1/files/knowledge-bases listKnowledgeBases',
    'get /v1/files/search searchFiles',
    'get /v1/files/tags listFileTags',
    'get /v1/files/tags/{tag}/values listFileTagValues',
    'get /v1/files/{id} getFile',
    'get /v1/files/{id}/content getFileContent',
    'get /v1/files/{id}/passages listFilePassages',
    'post /v1/admin/bots createBot',
    'post /v1/files/knowledge-bases createKnowledgeBase',
    'post /v1/files/{id}/{destinationKey} copyFile',
    'put /v1/admin/bots/{id} updateBot',
    'put /v1/admin/workspaces/{id} updateWorkspace',
    'put /v1/files upsertFile',
    'put /v1/files/knowledge-bases/{id} updateKnowledgeBase',
    'put /v1/files/{id} updateFileMetadata',
    'put /v1/files/{id}/passages setFilePassages',
    'put /v1/uploads/{secret} upload',
  ]);
  const { parameters, responses } = body.paths['/v1/files/search'].get;
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
    'x-bot-id',
    'x-workspace-id',
    'x-integration-id',
    'x-integration-alias',
    'x-integration-name',
    'x-user-id',
    'x-user-role',
    'query',
    'contextDepth',
    'limit',
    'consolidate',
    'perFile',
    'includeBreadcrumb',
    'withContext',
    'tags',
    'path',
    'mode',
    'minScore',
    'explain',
    'positions',
    'highlight',
  ]);
  expect(parameters.find(({ name }: { name: string }) => name === 'contextDepth')).toEqual({
    name: 'contextDepth',
    in: 'query',
    required: false,
    description:
      'How many neighbouring passages before and after each match its content includes. An integer from 0 to 10.',
    schema: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
  });
  const statuses = ['200', '400', '401', '403', '404', '408', '413', '417', '429', '431', '500', '503', '504', '507'];
  expect(Object.keys(responses)).toEqual(statuses);
});

test('/docs is a page without scripts that describes every operation', async () => {
  const { ask } = await serviceOf();
  const { body, headers } = await ask('/docs', { headers: { authorization: undefined } });
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
  for (const text of ['<h2>searchFiles</h2>', 'GET /v1/admin/bots', 'An integer from 0 to 10. Defaults to 1.']) {
    expect(body).toContain(text);
  }
  expect(body).not.toContain('<script');
});

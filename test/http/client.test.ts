import { Client, errorFrom, isApiError } from '@botpress/client';
import { expect, test } from 'vitest';
import { until } from '../support/until.js';
import { type Service, serviceOf } from './service.js';

// The client would ask a proxy even for this machine.
process.env.NO_PROXY = '127.0.0.1';

function clientOf({ url, token, workspaceId, botId }: Service, options: object = {}): Client {
  return new Client({ apiUrl: url, token, workspaceId, botId, ...options });
}

const GUIDE = '# Kettle\n\nIt boils water.\n\n## Care\n\nDescale it with vinegar.\n\n## Parts\n\nA lid and a base.\n';

async function uploaded(client: Client, input: { key: string; content: string; tags?: Record<string, string> }) {
  const { file } = await client.uploadFile({ index: true, ...input });
  for (;;) {
    const { file: now } = await client.getFile({ id: file.id });
    if (now.status === 'indexing_completed' || now.status === 'indexing_failed') return now;
  }
}

test('the client lists bots in pages, and gets one', async () => {
  const service = await serviceOf();
  const { host, workspaceId, botId } = service;
  const administration = await host.workspace(workspaceId);
  for (const name of ['b', 'c', 'd', 'e']) await administration.createBot({ name });
  const client = clientOf(service);
  const first = await client.listBots({ pageSize: 2, sortField: 'createdAt', sortDirection: 'asc' });
  expect(first.bots).toHaveLength(2);
  expect(first.bots[0]).toMatchObject({ id: botId, name: 'support', tags: {}, type: 'studio' });
  const names = (await client.list.bots({ sortDirection: 'asc' }).collect()).map(({ name }) => name);
  expect(names).toEqual(['support', 'b', 'c', 'd', 'e']);
  const { bot } = await client.getBot({ id: botId });
  expect(bot).toMatchObject({ id: botId, name: 'support', status: 'active', integrations: {} });
  expect((await client.listBots({ dev: true })).bots).toEqual([]);
});

test('the client creates, updates and deletes a bot', async () => {
  const service = await serviceOf();
  const client = clientOf(service);
  const { bot } = await client.createBot({ name: 'sales', tags: { team: 'emea' } });
  expect(bot).toMatchObject({ name: 'sales', tags: { team: 'emea' }, status: 'active' });
  const selling = clientOf({ ...service, botId: bot.id });
  await uploaded(selling, { key: 'kettle.md', content: GUIDE });
  expect((await selling.searchFiles({ query: 'vinegar' })).passages).not.toEqual([]);
  expect((await client.updateBot({ id: bot.id, name: 'sales team' })).bot.name).toBe('sales team');
  expect((await client.listBots({ tags: { team: 'emea' } })).bots.map(({ name }) => name)).toEqual(['sales team']);
  const taken = await client.createBot({ name: 'support' }).catch(errorFrom);
  expect(taken).toMatchObject({ type: 'AlreadyExists', code: 409 });
  expect(await client.deleteBot({ id: bot.id })).toEqual({});
  expect(await selling.searchFiles({ query: 'vinegar' }).catch(errorFrom)).toMatchObject({ code: 404 });
});

test('the client copies a file within a bot and to another one, with passages that were set', async () => {
  const service = await serviceOf();
  const client = clientOf(service);
  const { bot } = await client.createBot({ name: 'sales' });
  const selling = clientOf({ ...service, botId: bot.id });
  const file = await uploaded(client, { key: 'a/kettle.md', content: GUIDE, tags: { kind: 'guide' } });
  const { file: copy } = await client.copyFile({ idOrKey: file.id, destinationKey: 'b/kettle copy.md' });
  expect(copy).toMatchObject({ key: 'b/kettle copy.md', tags: { kind: 'guide' }, index: true, size: file.size });
  expect(copy.id).not.toBe(file.id);
  await until(async () => (await client.getFile({ id: copy.id })).file.status === 'indexing_completed');
  const { passages } = await client.searchFiles({ query: 'vinegar' });
  expect(new Set(passages.map(({ file }) => file.key))).toEqual(new Set(['a/kettle.md', 'b/kettle copy.md']));

  await client.setFilePassages({ id: file.id, passages: [{ content: 'Only this about tea.', type: 'paragraph' }] });
  const abroad = { idOrKey: 'a/kettle.md', destinationKey: 'kettle.md', 'x-destination-bot-id': bot.id };
  const { file: theirs } = await client.copyFile(abroad);
  expect(theirs).toMatchObject({ botId: bot.id, key: 'kettle.md', status: 'indexing_completed' });
  const listed = (await selling.listFilePassages({ id: theirs.id })).passages.map(({ content }) => content);
  expect(listed).toEqual(['Only this about tea.']);
  expect(await (await fetch(theirs.url)).text()).toBe(GUIDE);

  const taken = await client.copyFile(abroad).catch(errorFrom);
  expect(taken).toMatchObject({ type: 'AlreadyExists', code: 409 });
  expect((await client.copyFile({ ...abroad, overwrite: true })).file.id).toBe(theirs.id);
  const { file: announced } = await client.upsertFile({ key: 'c.md', size: 1 });
  const missing = await client.copyFile({ idOrKey: announced.id, destinationKey: 'd.md' }).catch(errorFrom);
  expect(missing).toMatchObject({ type: 'ResourceNotFound', code: 404 });
});

test('the client creates, lists, searches, changes and deletes knowledge bases with their files', async () => {
  const client = clientOf(await serviceOf());
  const { knowledgeBase: kitchen } = await client.createKnowledgeBase({ name: 'Kitchen', tags: { lang: 'en' } });
  const { knowledgeBase: garden } = await client.createKnowledgeBase({ name: 'Garden' });
  await uploaded(client, { key: 'kettle.md', content: GUIDE, tags: { kbId: kitchen.id } });
  await uploaded(client, { key: 'pond.md', content: '# Pond\n\nVinegar keeps it clear.', tags: { kbId: garden.id } });
  const found = async (kbId: string | string[]) => {
    const { passages } = await client.searchFiles({ query: 'vinegar', tags: { kbId } });
    return new Set(passages.map(({ file }) => file.key));
  };
  expect(await found(kitchen.id)).toEqual(new Set(['kettle.md']));
  expect(await found([kitchen.id, garden.id])).toEqual(new Set(['kettle.md', 'pond.md']));
  const { knowledgeBase } = await client.updateKnowledgeBase({
    id: kitchen.id,
    name: 'Cuisine',
    tags: { lang: 'fr', new: 'x' },
  });
  expect(knowledgeBase).toMatchObject({ id: kitchen.id, name: 'Cuisine', tags: { lang: 'fr', new: 'x' } });
  const listed = await client.listKnowledgeBases({ tags: { lang: 'fr' } });
  expect(listed.knowledgeBases.map(({ id, name }) => [id, name])).toEqual([[kitchen.id, 'Cuisine']]);
  expect((await client.list.knowledgeBases({ pageSize: 1 }).collect()).map(({ name }) => name)).toEqual([
    'Garden',
    'Cuisine',
  ]);
  expect(await client.deleteKnowledgeBase({ id: kitchen.id })).toEqual({});
  expect((await client.listFiles({})).files.map(({ key }) => key)).toEqual(['pond.md']);
  expect(await found(kitchen.id)).toEqual(new Set());
  const again = await client.deleteKnowledgeBase({ id: kitchen.id }).catch(errorFrom);
  expect(again).toMatchObject({ type: 'ResourceNotFound', code: 404 });
});

test('the client uploads a file, waits until it is indexed, lists, changes and deletes it', async () => {
  const service = await serviceOf();
  const client = clientOf(service);
  const file = await uploaded(client, { key: 'a guide/kettle.md', content: GUIDE, tags: { source: 'kb' } });
  expect(file).toMatchObject({ key: 'a guide/kettle.md', status: 'indexing_completed', index: true });
  await until(async () => (await client.getBot({ id: service.botId })).bot.deployedAt !== undefined);
  expect((await client.listFiles({ tags: { source: 'kb' }, ids: [file.id] })).files).toHaveLength(1);
  expect((await client.listFiles({ tags: { source: { not: 'kb' } } })).files).toEqual([]);
  expect(await client.list.files({}).collect()).toHaveLength(1);
  const changed = await client.updateFileMetadata({ id: 'a guide/kettle.md', tags: { lang: 'en', source: null } });
  expect(changed.file.tags).toEqual({ lang: 'en' });
  const { passages } = await client.listFilePassages({ id: file.id });
  expect(passages.map(({ content }) => content)).toContainEqual(expect.stringContaining('vinegar'));
  expect(await client.listFileTags({})).toEqual({ tags: ['lang'], meta: {} });
  expect(await client.listFileTagValues({ tag: 'lang' })).toEqual({ values: ['en'], meta: {} });
  await client.setFilePassages({ id: file.id, passages: [{ content: 'Only this about tea.', type: 'paragraph' }] });
  expect((await client.searchFiles({ query: 'tea' })).passages[0]?.content).toBe('Only this about tea.');
  expect(await client.deleteFile({ id: file.id })).toEqual({});
  expect(await client.searchFiles({ query: 'tea' })).toEqual({ passages: [] });
});

test('the client searches with every combination of options', async () => {
  const service = await serviceOf();
  const client = clientOf(service);
  await uploaded(client, { key: 'kettle.md', content: GUIDE });
  await uploaded(client, { key: 'pot.md', content: '# Pot\n\nVinegar is not for pots.\n' });
  const flags = [undefined, false, true];
  const query = 'descale with vinegar';
  let answered = 0;
  for (const contextDepth of [undefined, 0, 4]) {
    for (const limit of [undefined, 1]) {
      for (const consolidate of flags) {
        for (const includeBreadcrumb of flags) {
          for (const withContext of flags) {
            const search = client.searchFiles({
              query,
              contextDepth,
              limit,
              consolidate,
              includeBreadcrumb,
              withContext,
            } as Parameters<Client['searchFiles']>[0]);
            if (consolidate && withContext) {
              await expect(search).rejects.toMatchObject({ type: 'InvalidQuery', code: 400 });
              continue;
            }
            const { passages } = await search;
            const [best] = passages;
            const keys = new Set(passages.map(({ file }) => file.key));
            expect(best?.file.key).toBe('kettle.md');
            expect(best?.content).toContain('Descale it with vinegar.');
            expect(best?.context !== undefined).toBe(withContext === true);
            expect(best?.meta.type).toBe(consolidate ? 'consolidated' : 'chunk');
            expect(best?.content.startsWith('Kettle > Care\n\n')).toBe(includeBreadcrumb === true && !consolidate);
            if (limit === 1) expect(passages).toHaveLength(1);
            if (consolidate) expect(passages).toHaveLength(keys.size);
            answered += 1;
          }
        }
      }
    }
  }
  expect(answered).toBe(144);
});

test('the client searches with filters of tags', async () => {
  const service = await serviceOf();
  const client = clientOf(service);
  await uploaded(client, { key: 'a.md', content: 'A kettle.', tags: { source: 'kb', kbName: 'one' } });
  await uploaded(client, { key: 'b.md', content: 'A kettle.', tags: { source: 'kb', kbName: 'two' } });
  await uploaded(client, { key: 'c.md', content: 'A kettle.', tags: { source: 'web' } });
  const keys = async (tags: unknown) => {
    const { passages } = await client.searchFiles({ query: 'kettle', tags });
    return passages.map(({ file }) => file.key).sort();
  };
  expect(await keys({ source: 'kb' })).toEqual(['a.md', 'b.md']);
  expect(await keys({ source: 'kb', kbName: ['one', 'three'] })).toEqual(['a.md']);
  expect(await keys({ kbName: ['one', 'two'] })).toEqual(['a.md', 'b.md']);
  expect(await keys({ kbName: { not: 'one' } })).toEqual(['b.md', 'c.md']);
  expect(await keys({ kbName: { not: ['one', 'two'] } })).toEqual(['c.md']);
  expect(await keys({})).toEqual(['a.md', 'b.md', 'c.md']);
  expect(await keys(undefined)).toEqual(['a.md', 'b.md', 'c.md']);
  const many = Array.from({ length: 40 }, (_, i) => `other${i}`);
  expect(await keys({ kbName: [...many, 'two'] })).toEqual(['b.md']);
});

test('the client knows each class of error by its type and code', async () => {
  const service = await serviceOf({ uploadLimit: 10 });
  const { host, workspaceId } = service;
  const client = clientOf(service);
  const { token } = await host.createToken({ workspaceId, name: 'reader', role: 'search' });
  const searching = clientOf(service, { token });
  const rows = [
    [clientOf(service, { token: 'wrong' }).searchFiles({ query: 'a' }), 'Unauthorized', 401],
    [clientOf(service, { workspaceId: 'other' }).listBots({}), 'Unauthorized', 401],
    [searching.listBots({}), 'Forbidden', 403],
    [searching.deleteFile({ id: 'a.md' }), 'Forbidden', 403],
    [client.getBot({ id: '00000000-0000-4000-8000-000000000000' }), 'ResourceNotFound', 404],
    [client.getFile({ id: 'nothing.md' }), 'ResourceNotFound', 404],
    [client.searchFiles({ query: '' }), 'InvalidQuery', 400],
    [client.searchFiles({ query: 'a', limit: 51 }), 'InvalidQuery', 400],
    [client.upsertFile({ key: '', size: 1 }), 'InvalidPayload', 400],
    [client.upsertFile({ key: 'a.md', size: 11 }), 'PayloadTooLarge', 413],
    [client.deleteBot({ id: '00000000-0000-4000-8000-000000000000' }), 'ResourceNotFound', 404],
    [client.listWorkspaceMembers({}), 'ResourceNotFound', 404],
  ] as const;
  for (const [call, type, code] of rows) {
    const error = await (call as Promise<unknown>).catch(errorFrom);
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({ type, code, id: expect.stringMatching(/^err_/) });
  }
  const limited = await serviceOf({ requestsPerMinute: 1 });
  await clientOf(limited).listBots({});
  await expect(clientOf(limited).listBots({})).rejects.toMatchObject({ type: 'RateLimited', code: 429 });
});

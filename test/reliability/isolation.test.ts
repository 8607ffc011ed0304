import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type BotFiles, createHashEmbedder, type Host, openHost, type Role } from 'waymark';
import { OPERATIONS } from '#src/contract/operations/index.js';
import { readRegular } from '#src/indexing/read-file.js';
import { serviceOf } from '../http/service.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { inMilliseconds, later } from '../support/later.js';
import { until } from '../support/until.js';
import { type Sent, send } from './raw-http.js';
import { tell, times } from './torture.js';

/** Every name of a bot that a stranger could use, or names of the same form that do not exist. */
interface Names {
  readonly bot: string;
  readonly botName: string;
  readonly workspace: string;
  readonly file: string;
  readonly pending: string;
  readonly key: string;
  readonly tag: string;
  readonly value: string;
  readonly passage: string;
  readonly upload: string;
  readonly base: string;
  readonly page: string;
}

/** A bot with files; its texts, tags, metadata and keys contain a marker found nowhere else. */
interface Owned {
  readonly marker: string;
  readonly names: Names;
  readonly files: BotFiles;
  /** Secrets that no caller of another bot may ever read. */
  readonly secrets: readonly string[];
}

function newMarker(): string {
  return `mk${randomBytes(6).toString('hex')}`;
}

function ulid(): string {
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return `file_01${[...randomBytes(24)].map((byte) => letters[byte % 32]).join('')}`;
}

function page(file: string): string {
  return Buffer.from(JSON.stringify(['passages', file, 0])).toString('base64url');
}

async function owned(host: Host, workspaceId: string, name: string): Promise<Owned> {
  const marker = newMarker();
  const botName = `${marker} ${name}`;
  const {
    bot: { id: bot },
  } = await (await host.workspace(workspaceId)).createBot({ name: botName });
  const files = await host.bot(bot);
  const tags = { kind: `${marker}value`, [`${marker}tag`]: 'x' };
  const metadata = { note: `${marker}note` };
  const put = async (key: string, content: string, index = true) =>
    (await files.uploadFile({ key, content, index, tags, metadata })).file.id;
  const key = `${marker}key/é b.md`;
  const ids = [
    await put('shared.md', `# Kettle\n\nThe kettle ${marker}a.\n\n## Lid\n\nThe lid ${marker}b.\n`),
    await put(key, `# Teapot\n\nThe teapot ${marker}c.\n`),
    await put('raw.bin', `${marker}d`, false),
  ];
  const { file: pending } = await files.upsertFile({ key: `${marker}pending.md`, size: 3, index: true });
  const upload = path.posix.basename(pending.uploadUrl);
  const { knowledgeBase } = await files.createKnowledgeBase({ name: `${marker}base`, tags });
  for (const id of ids) await until(async () => !/pending$/.test((await files.getFile({ id })).file.status));
  const { passages } = await files.listFilePassages({ id: 'shared.md' });
  expect(passages).toHaveLength(2);
  const [file = ''] = ids;
  return {
    marker,
    files,
    secrets: [marker, bot, ...ids, pending.id, ...passages.map(({ id }) => id), upload, knowledgeBase.id],
    names: {
      bot,
      botName,
      workspace: workspaceId,
      file,
      pending: pending.id,
      base: knowledgeBase.id,
      key,
      tag: `${marker}tag`,
      value: `${marker}value`,
      passage: passages[0]?.id ?? '',
      upload,
      page: page(file),
    },
  };
}

/** Names of the same form that do not exist. */
function nobody(): Names {
  const marker = newMarker();
  const file = ulid();
  return {
    bot: randomUUID(),
    botName: `${marker} theirs`,
    workspace: randomUUID(),
    file,
    pending: ulid(),
    key: `${marker}key/é b.md`,
    tag: `${marker}tag`,
    value: `${marker}value`,
    passage: randomUUID(),
    upload: randomBytes(32).toString('base64url'),
    base: `kb_${ulid()}`,
    page: page(file),
  };
}

/** Variants of a name that careless code takes for the name itself. */
const TWINS: readonly ((name: string, names: Names) => string)[] = [
  (name) => name,
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFC'),
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  (name) => `../${name}`,
  (name) => `./${name}`,
  (name) => `/${name}`,
  (name) => `${name}/`,
  (name) => `${name}\u0000`,
  (name) => `${name}\u0000.md`,
  (name) => ` ${name} `,
  (name) => `${name}%`,
  (name) => name.replaceAll('/', '%2f'),
  (name) => encodeURIComponent(name),
  (name) => `shared.md/../${name}`,
  (name, { bot }) => `../${bot}/${name}`,
  (name, { bot }) => `../../bots/${bot}/files/${name}`,
  (name, { workspace, bot }) => `/${workspace}/${bot}/${name}`,
];

/** The secrets of others that a response contains and its request did not. */
function foreign(
  answer: string,
  { asked, except, all }: { asked: string; except: readonly Owned[]; all: readonly Owned[] },
) {
  const tokens = [...answer.matchAll(/"nextToken":"([\w-]+)"/g)].map(([, token = '']) => token);
  const told = [answer, ...tokens.map((token) => Buffer.from(token, 'base64url').toString())].join('\n').toLowerCase();
  const known = asked.toLowerCase();
  return all
    .filter((bot) => !except.includes(bot))
    .flatMap(({ secrets }) => secrets)
    .filter((secret) => told.includes(secret.toLowerCase()) && !known.includes(secret.toLowerCase()));
}

/** A text with names, and whatever differs in every response, replaced. */
function anonymous(text: string, names: Names, twins: readonly string[]): string {
  const forms = [...twins, ...Object.values(names)].flatMap((name) => [
    name,
    JSON.stringify(name).slice(1, -1),
    encodeURIComponent(name),
  ]);
  let anonymised = text.replace(/"id":"err_[^"]*"/, '');
  if (anonymised.includes('…')) {
    // An error shortens a long value that it echoes: that value may begin with other names, so the longest comes first.
    const beginnings = forms.flatMap((form) => Array.from(form, (_, index) => form.slice(0, index + 1)));
    for (const beginning of beginnings.sort((one, other) => other.length - one.length)) {
      anonymised = anonymised.replaceAll(`${beginning}…`, 'SHORTENED');
    }
  }
  for (const form of forms) anonymised = anonymised.replaceAll(form, 'NAME');
  return anonymised;
}

interface Caller {
  readonly role: Role;
  readonly token: string;
  /** The bots that it may read. */
  readonly bots: readonly Owned[];
}

/** Three bots in two workspaces, and who may access which. */
async function world() {
  const service = await serviceOf({ requestsPerMinute: 10_000_000 });
  const { host, workspaceId: acme } = service;
  const { id: other } = await host.createWorkspace('other');
  const support = await owned(host, acme, 'support');
  const sales = await owned(host, acme, 'sales');
  const theirs = await owned(host, other, 'theirs');
  const token = (role: Role, bots: readonly Owned[], options: { expiresAt?: string } = {}) =>
    host.createToken({ workspaceId: acme, name: role, role, bots: bots.map(({ names }) => names.bot), ...options });
  const callers: Caller[] = [];
  for (const role of ['admin', 'member', 'search'] as const) {
    const revoked = await token(role, []);
    await host.revokeToken(revoked.id);
    const expired = await token(role, [], { expiresAt: inMilliseconds(3_600_000) });
    callers.push(
      { role, token: (await token(role, [])).token, bots: [support, sales] },
      { role, token: (await token(role, [support])).token, bots: [support] },
      { role, token: expired.token, bots: [] },
      { role, token: revoked.token, bots: [] },
      { role, token: '', bots: [] },
    );
  }
  later(7_200_000);
  return { service, host, acme, support, sales, theirs, all: [support, sales, theirs], callers };
}

/** A request of each operation that takes a name; `twin` is the variant of the name. */
function asking(operation: string, names: Names, twin: (name: string) => string): Omit<Sent, 'headers'> {
  const at = (name: string) => encodeURIComponent(twin(name).toWellFormed());
  const get = (path: string) => ({ method: 'GET', path });
  const put = (path: string, body: object) => ({ method: 'PUT', path, body: JSON.stringify(body) });
  const post = (path: string, body: object) => ({ ...put(path, body), method: 'POST' });
  switch (operation) {
    case 'searchFiles':
      return get(`/v1/files/search?query=kettle&withContext=true&tags.${at(names.tag)}=x&tags.kind=${at(names.value)}`);
    case 'searchFiles without':
      return get(`/v1/files/search?query=kettle%20teapot&contextDepth=10&tags.kind.not=${at(names.value)}`);
    case 'listFiles':
      return get(`/v1/files?ids=${at(names.file)}&ids=${at(names.pending)}&ids=${at(names.key)}`);
    case 'listFiles by tag':
      return get(`/v1/files?pageSize=1&tags.kind=${at(names.value)}`);
    case 'upsertFile':
      return put('/v1/files', { key: `${twin(names.key).replace(/\p{Cc}/gu, '')}`, size: 1, index: true });
    case 'getFile':
      return get(`/v1/files/${at(names.file)}`);
    case 'getFile by key':
      return get(`/v1/files/${at(names.key)}`);
    case 'updateFileMetadata':
      return put(`/v1/files/${at(names.file)}`, { tags: { stolen: 'x' }, metadata: { stolen: true } });
    case 'deleteFile':
      return { method: 'DELETE', path: `/v1/files/${at(names.pending)}` };
    case 'listFilePassages':
      return get(`/v1/files/${at(names.file)}/passages`);
    case 'listFilePassages by page':
      return get(`/v1/files/shared.md/passages?limit=1&nextToken=${at(names.page)}`);
    case 'listFilePassages by passage':
      return get(`/v1/files/${at(names.passage)}/passages`);
    case 'setFilePassages':
      return put(`/v1/files/${at(names.key)}/passages`, { passages: [{ content: 'stolen' }] });
    case 'listFileTags':
      return get('/v1/files/tags');
    case 'listFileTagValues':
      return get(`/v1/files/tags/${at(names.tag)}/values`);
    case 'listBots':
      return get('/v1/admin/bots?pageSize=100');
    case 'getBot':
      return get(`/v1/admin/bots/${at(names.bot)}`);
    case 'getBot by name':
      return get(`/v1/admin/bots/${at(names.botName)}`);
    case 'copyFile':
      return post(`/v1/files/${at(names.file)}/copied.md`, { overwrite: true });
    case 'copyFile by key':
      return post(`/v1/files/${at(names.key)}/copied.md`, { overwrite: true });
    case 'listKnowledgeBases':
      return get(`/v1/files/knowledge-bases?tags.kind=${at(names.value)}`);
    case 'createKnowledgeBase':
      return post('/v1/files/knowledge-bases', { name: 'mine' });
    case 'updateKnowledgeBase':
      return put(`/v1/files/knowledge-bases/${at(names.base)}`, { name: 'stolen', tags: { stolen: 'x' } });
    case 'deleteKnowledgeBase':
      return { method: 'DELETE', path: `/v1/files/knowledge-bases/${at(names.base)}` };
    case 'createBot':
      return post('/v1/admin/bots', { name: twin(names.botName) });
    case 'updateBot':
      return put(`/v1/admin/bots/${at(names.bot)}`, { name: 'stolen', tags: { stolen: 'x' } });
    case 'deleteBot':
      return { method: 'DELETE', path: `/v1/admin/bots/${at(names.bot)}` };
    case 'deleteBot by name':
      return { method: 'DELETE', path: `/v1/admin/bots/${at(names.botName)}` };
    case 'listWorkspaces':
      return get('/v1/admin/workspaces');
    case 'getWorkspace':
      return get(`/v1/admin/workspaces/${at(names.workspace)}`);
    case 'updateWorkspace':
      return put(`/v1/admin/workspaces/${at(names.workspace)}`, { name: 'renamed' });
    case 'getFileContent':
      return get(`/v1/files/${at(names.file)}/content`);
    case 'getFileContent by key':
      return get(`/v1/files/${at(names.key)}/content`);
    case 'upload':
      return put(`/v1/uploads/${at(names.upload.slice(0, -1))}`, {});
    default:
      throw new RangeError(`no request for ${operation}`);
  }
}

const ASKED = [
  'searchFiles',
  'searchFiles without',
  'listFiles',
  'listFiles by tag',
  'upsertFile',
  'getFile',
  'getFile by key',
  'updateFileMetadata',
  'deleteFile',
  'listFilePassages',
  'listFilePassages by page',
  'listFilePassages by passage',
  'setFilePassages',
  'listFileTags',
  'listFileTagValues',
  'listBots',
  'getBot',
  'getBot by name',
  'copyFile',
  'copyFile by key',
  'listKnowledgeBases',
  'createKnowledgeBase',
  'updateKnowledgeBase',
  'deleteKnowledgeBase',
  'createBot',
  'updateBot',
  'deleteBot',
  'deleteBot by name',
  'listWorkspaces',
  'getWorkspace',
  'updateWorkspace',
  'getFileContent',
  'getFileContent by key',
  'upload',
];

test('every operation of the contract is covered', () => {
  const tried = new Set(ASKED.map((name) => name.split(' ')[0]));
  expect([...Object.keys(OPERATIONS), 'getFileContent', 'upload'].filter((id) => !tried.has(id))).toEqual([]);
});

interface Asking {
  readonly caller: Caller;
  readonly stranger: Owned;
  readonly asked: string;
  readonly twin: (typeof TWINS)[number];
  readonly bot: 'own' | 'stranger' | 'name' | 'none';
  readonly workspace: 'own' | 'stranger' | 'none';
}

test('no HTTP response contains data of another bot or reveals whether its names exist', async () => {
  const { service, host, acme, support, sales, theirs, all, callers } = await world();
  const counts = new Map<number, number>();
  /** Requests a stranger's names and nonexistent ones: the responses must be equal, without secrets. */
  const compare = async ({ caller, stranger, asked, twin, bot, workspace }: Asking) => {
    const target = caller.bots.find((each) => each !== stranger) ?? support;
    const isAdministration = /Bot|Workspace/.test(asked);
    const isTheirs = caller.bots.includes(stranger);
    // What the caller may access is not a stranger's.
    if (isTheirs && (isAdministration || bot !== 'own')) return;
    const isOwn = caller.bots.includes(target) && bot === 'own';
    const answers = [];
    // A bot of the caller's own workspace is a stranger, but its workspace is not.
    const { workspace: strange } = stranger === sales ? stranger.names : nobody();
    for (const names of [stranger.names, { ...nobody(), workspace: strange }]) {
      const header = { own: target.names.bot, stranger: names.bot, name: names.botName, none: undefined }[bot];
      const space = { own: acme, stranger: names.workspace, none: undefined }[workspace];
      const said = (name: string) => twin(name, names);
      const sent = asking(asked, names, said);
      const headers = {
        ...(caller.token !== '' && { authorization: `Bearer ${caller.token}` }),
        ...(header !== undefined && { 'x-bot-id': header }),
        ...(space !== undefined && { 'x-workspace-id': space }),
        ...(sent.body !== undefined && { 'content-type': 'application/json' }),
      };
      const { status, text } = await send(service.url, { ...sent, headers });
      expect(status).not.toBe(500);
      const request = [sent.path, decoded(sent.path), sent.body, header, space].join('\n');
      const except = isAdministration ? caller.bots : isOwn ? [target] : [];
      expect(foreign(text, { asked: request, except, all })).toEqual([]);
      if (!isOwn && !isAdministration && asked !== 'upload') expect([400, 401, 403, 404]).toContain(status);
      if (caller.bots.length === 0 && asked !== 'upload') expect(status).toBe(401);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const isMade = ['upsertFile', 'createKnowledgeBase', 'createBot'].includes(asked) && status === 200;
      const { file, bot: made, knowledgeBase } = isMade ? JSON.parse(text) : {};
      if (file) await target.files.deleteFile({ id: file.id });
      if (knowledgeBase) await target.files.deleteKnowledgeBase({ id: knowledgeBase.id });
      if (made) await (await host.workspace(acme)).deleteBot({ id: made.id });
      // A workspace of the caller's own is renamed twice, at two times.
      const isRenamed = asked === 'updateWorkspace' && status === 200;
      answers.push({ status, text: isMade || isRenamed ? '' : anonymous(text, names, Object.values(names).map(said)) });
    }
    expect(answers[0]).toEqual(answers[1]);
  };
  const before = await everything(theirs);
  const [plain = (name: string) => name] = TWINS;
  let pairs = 0;
  for (const caller of callers.filter(({ bots }) => bots.length > 0)) {
    for (const asked of ASKED) {
      await compare({ caller, stranger: theirs, asked, twin: plain, bot: 'own', workspace: 'own' });
      await compare({ caller, stranger: sales, asked, twin: plain, bot: 'own', workspace: 'own' });
      pairs += 2;
    }
  }
  const runs = times(60, 10_000);
  const any = fc.record<Asking>({
    caller: fc.constantFrom(...callers),
    stranger: fc.constantFrom(sales, theirs),
    asked: fc.constantFrom(...ASKED),
    twin: fc.constantFrom(...TWINS),
    bot: fc.constantFrom('own', 'own', 'stranger', 'name', 'none'),
    workspace: fc.constantFrom('own', 'stranger', 'none'),
  });
  await fc.assert(fc.asyncProperty(any, compare), { numRuns: runs });
  expect(await everything(theirs)).toEqual(before);
  const told = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} of ${status}`);
  tell(
    `isolation: ${pairs + runs} pairs of requests for what is another's and what is nobody's: no difference (${told.join(', ')})`,
  );
});

function decoded(path: string): string {
  return decodeURIComponent(path);
}

async function textOf(files: Owned['files'], id: string): Promise<string> {
  return Buffer.from(await (await files.content(id)).bytes()).toString();
}

/** Everything that is stored of a bot. */
async function everything({ files }: Owned): Promise<object[]> {
  const { files: listed } = await files.listFiles({ pageSize: 100, sortField: 'key' });
  const read = listed.map(async (file) => ({
    file,
    passages: await files.listFilePassages({ id: file.id }),
    content: file.size === null ? '' : await textOf(files, file.id),
  }));
  return Promise.all(read);
}

test('malformed URLs lead nowhere', async () => {
  const { service, support, theirs, all, callers } = await world();
  const [admin] = callers;
  const { bot, file, key } = theirs.names;
  const headers = { authorization: `Bearer ${admin?.token}`, 'x-bot-id': support.names.bot };
  for (const path of [
    `/v1/files/../files/${file}`,
    `/v1/files/..%2f..%2fbots%2f${bot}%2ffiles%2f${file}`,
    `/v1/files/%2e%2e/${bot}/${file}`,
    `/v1/files/shared.md/../${file}/content`,
    `/v1/files/shared.md%2f..%2f${file}/content`,
    `/v1/files/${file}%00/content`,
    `/v1/files/${file};shared.md/content`,
    `/v1/files/${file}%3Fx-bot-id=${bot}`,
    `/v1//files/${file}`,
    `//v1/files/${file}`,
    `/V1/FILES/${file}`,
    `/v1/files/${encodeURIComponent(encodeURIComponent(key))}`,
    `/v1/files/${file}/`,
    `/v1/files/${file}?x-bot-id=${bot}&botId=${bot}&bot=${bot}`,
    `http://localhost/v1/files/${file}`,
  ]) {
    const { status, text } = await send(service.url, { method: 'GET', path, headers });
    expect([path, status]).toEqual([path, 404]);
    expect(foreign(text, { asked: decoded(path), except: [support], all })).toEqual([]);
  }
});

test('a nextToken of another list or bot reveals nothing of theirs', async () => {
  const { service, support, sales, theirs, all, callers } = await world();
  const [admin] = callers;
  const headers = { authorization: `Bearer ${admin?.token}`, 'x-bot-id': support.names.bot };
  const pages = [];
  for (const { files } of [sales, theirs]) {
    for (const sortField of ['key', 'size', 'createdAt', 'updatedAt', 'status'] as const) {
      for (const sortDirection of ['asc', 'desc'] as const) {
        pages.push((await files.listFiles({ pageSize: 1, sortField, sortDirection })).meta.nextToken);
      }
    }
    pages.push((await files.listFilePassages({ id: 'shared.md', limit: 1 })).meta.nextToken);
  }
  for (const token of pages) {
    expect(token).toBeDefined();
    for (const list of ['/v1/files?', '/v1/files?sortField=key&', '/v1/files/shared.md/passages?', '/v1/files/tags?']) {
      const path = `${list}nextToken=${token}`;
      const { status, text } = await send(service.url, { method: 'GET', path, headers });
      expect([200, 400]).toContain(status);
      const asked = Buffer.from(token ?? '', 'base64url').toString();
      expect(foreign(text, { asked, except: [support], all })).toEqual([]);
    }
  }
});

test('a bot named like the id of another does not replace it', async () => {
  const { host, acme, support, theirs } = await world();
  const bots = await host.workspace(acme);
  const { bot: older } = await bots.createBot({ name: 'older' });
  const newer = await owned(host, theirs.names.workspace, 'newer');
  await bots.updateBot({ id: older.id, name: newer.names.bot });
  await bots.createBot({ name: theirs.names.bot });
  for (const { names } of [newer, theirs]) {
    expect((await (await host.bot(names.bot)).getFile({ id: names.file })).file.botId).toBe(names.bot);
    expect(await host.workspaceOf(names.bot)).toBe(theirs.names.workspace);
  }
  const { file } = await support.files.uploadFile({ key: support.names.file, content: 'a' });
  expect(file.id).not.toBe(support.names.file);
  expect((await support.files.getFile({ id: support.names.file })).file.key).toBe('shared.md');
});

test('nothing of another bot is read, changed or revealed in process', async () => {
  const host = await openHost({ database: `${folderOf()}/waymark.db`, model: createHashEmbedder() });
  onTestFinished(() => host.close());
  const { id: acme } = await host.createWorkspace('acme');
  const support = await owned(host, acme, 'support');
  const theirs = await owned(host, (await host.createWorkspace('other')).id, 'theirs');
  const bots = await host.workspace(acme);
  const before = await everything(theirs);
  const { files } = support;
  const calls: readonly ((names: Names, twin: (name: string) => string) => Promise<unknown>)[] = [
    (names, twin) => files.getFile({ id: twin(names.file) }),
    (names, twin) => files.getFile({ id: twin(names.key) }),
    (names, twin) => files.content(twin(names.file)),
    (names, twin) => files.content(twin(names.key)),
    (names, twin) => files.listFilePassages({ id: twin(names.file) }),
    (names, twin) => files.listFilePassages({ id: 'shared.md', nextToken: twin(names.page) }),
    (names, twin) => files.deleteFile({ id: twin(names.pending) }),
    (names, twin) => files.updateFileMetadata({ id: twin(names.key), tags: { stolen: 'x' } }),
    (names, twin) => files.setFilePassages({ id: twin(names.file), passages: [{ content: 'stolen' }] }),
    (names, twin) => files.listFiles({ ids: [twin(names.file), twin(names.key)] }),
    (names, twin) => files.listFiles({ tags: { kind: twin(names.value) } }),
    (names, twin) => files.listFileTagValues({ tag: twin(names.tag) }),
    (names, twin) => files.searchFiles({ query: 'kettle', tags: { kind: twin(names.value) } }),
    (names, twin) => files.searchFiles({ query: 'kettle teapot', tags: { kind: { not: twin(names.value) } } }),
    (names, twin) => bots.getBot({ id: twin(names.bot) }),
    (names, twin) => bots.getBot({ id: twin(names.botName) }),
    (names, twin) => bots.updateBot({ id: twin(names.bot), name: 'stolen' }),
    (names, twin) => bots.deleteBot({ id: twin(names.bot) }),
    (names, twin) => bots.deleteBot({ id: twin(names.botName) }),
    (names, twin) => host.createToken({ workspaceId: acme, name: 'a', role: 'admin', bots: [twin(names.bot)] }),
    (names, twin) => host.receive(twin(names.upload.slice(0, -1)), Buffer.from('abc')),
    (names, twin) => files.updateKnowledgeBase({ id: twin(names.base), name: 'stolen' }),
    (names, twin) => files.deleteKnowledgeBase({ id: twin(names.base) }),
    (names, twin) => files.copyFile({ id: twin(names.file), destinationKey: 'copied.md' }),
    (names, twin) => files.copyFile({ id: twin(names.key), destinationKey: 'copied.md' }),
    () => files.listKnowledgeBases(),
    () => bots.listBots(),
    () => files.listFiles({ pageSize: 100 }),
    () => files.listFileTags(),
    () => files.listFileTagValues({ tag: 'kind' }),
  ];
  const runs = times(200, 10_000);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), fc.constantFrom(...TWINS), async (call, twin) => {
      const told = [];
      for (const names of [theirs.names, nobody()]) {
        const said = (name: string) => twin(name, names);
        const text = await call(names, said).then(JSON.stringify, (error) => `${error.code}: ${error.message}`);
        const asked = Object.values(names).flatMap((name) => [name, said(name)]);
        // The result of the call, not what an error echoes.
        const isRefused = !text.startsWith('{');
        const request = isRefused ? asked.join('\n') : '';
        expect(foreign(text, { asked: request, except: [support], all: [support, theirs] })).toEqual([]);
        told.push(anonymous(text, names, Object.values(names).map(said)));
      }
      expect(told[0]).toBe(told[1]);
    }),
    { numRuns: runs },
  );
  expect(await everything(theirs)).toEqual(before);
  tell(`isolation: ${runs} pairs of calls in process for what is another's and what is nobody's: no difference`);
});

test('folder indexing reads nothing outside its folder and waits for no pipe or device', async () => {
  const outside = folderOf({ 'secret.md': 'The teapot mkoutside.', '.gitignore': 'a.md\n' });
  const folder = folderOf({ 'docs/a.md': 'A kettle.', 'docs/sub/b.md': 'A lid.', 'docs/sub/deep/c.md': 'A spout.' });
  const docs = path.join(folder, 'docs');
  symlinkSync(path.join(outside, 'secret.md'), path.join(docs, 'link.md'));
  linkSync(path.join(docs, 'a.md'), path.join(docs, 'hard.md'));
  symlinkSync(outside, path.join(docs, 'linked'));
  symlinkSync('/dev/zero', path.join(docs, 'zero.md'));
  // Files with ignore rules are read, too.
  symlinkSync(path.join(outside, '.gitignore'), path.join(docs, '.gitignore'));
  symlinkSync('/dev/zero', path.join(docs, 'sub', '.gitignore'));
  execFileSync('mkfifo', [path.join(docs, 'pipe.md'), path.join(docs, 'sub', 'deep', '.gitignore')]);
  const engine = await engineOf();
  const result = await engine.indexFolder(docs);
  expect(result.failed).toEqual([]);
  const { passages } = await engine.searchFiles({ query: 'teapot mkoutside', limit: 50 });
  expect(JSON.stringify(passages)).not.toContain('mkoutside');
  expect([...new Set(passages.map(({ file }) => file.key))].sort()).toEqual([
    'a.md',
    'hard.md',
    'sub/b.md',
    'sub/deep/c.md',
  ]);
});

test('a file that has become a link or a pipe since the folder was listed is not read', async () => {
  const outside = folderOf({ 'secret.md': 'mkoutside' });
  const folder = folderOf();
  symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'link.md'));
  execFileSync('mkfifo', [path.join(folder, 'pipe.md')]);
  await expect(readRegular(path.join(folder, 'link.md'), 1000)).rejects.toThrow('it was replaced by something else');
  await expect(readRegular(path.join(folder, 'pipe.md'), 1000)).rejects.toThrow('it was replaced by something else');
  await expect(readRegular('/dev/zero', 1000)).rejects.toThrow('it was replaced by something else');
});

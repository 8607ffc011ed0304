import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEngine } from 'waymark';
import { MAIN, startWaymark, waymark, waymarkEach } from '../support/command.js';
import { folderOf, writeFiles } from '../support/folder.js';
import { databasePath } from './documentation.js';

const filler = 'The gate opens by itself when a train has left the platform.';
const FILES = {
  'docs/keys.md':
    '# Keys\n\n## Rotation\n\nRun `vault rotate` to replace the active key.\n\n## Loss\n\nRevoke a lost key.\n',
  'docs/long.md': `# Long\n\n${Array.from({ length: 60 }, (_, i) => `## Gate ${i}\n\n${filler}\n`).join('\n')}`,
  'docs/my notes.md': `# Notes\n\nNothing of interest in here. ${'🚂'.repeat(2000)}\n\nThe end.\n`,
};

/** Contains FILES, indexed. No test changes it. */
let cwd: string;
let client: Client;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'waymark-test-'));
  writeFiles(cwd, FILES);
  const engine = await openEngine({ database: databasePath(cwd) });
  await engine.indexFolder(path.join(cwd, 'docs'));
  await engine.close();
  client = await overStdio(cwd);
});

afterAll(async () => {
  await client.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function overStdio(folder: string): Promise<Client> {
  const opened = new Client({ name: 'test', version: '1' });
  await opened.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], cwd: folder }));
  return opened;
}

interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Record<string, unknown>;
}

async function call(name: string, given: Record<string, unknown>, by = client): Promise<Called> {
  const { content, isError = false, structuredContent } = await by.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError: isError === true, structured: structuredContent as Called['structured'] };
}

test('the tools are search, get, list and status, each with an example', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'get', 'list', 'status']);
  for (const { description, annotations, inputSchema } of tools) {
    expect(description).toMatch(/Examples?: \{/);
    expect([annotations?.readOnlyHint, inputSchema.type]).toEqual([true, 'object']);
  }
});

test('search leaves out results that score near zero if there is a better one, unless minScore is given', async () => {
  const found = async (asked: object) => {
    const { structured } = await call('search', { query: 'how do I rotate a key?', ...asked });
    return (structured.results as { score: number }[]).map(({ score }) => score);
  };
  expect((await found({})).filter((score) => score < 0.01)).toEqual([]);
  const all = await found({ minScore: 0 });
  expect([all.length, all.filter((score) => score < 0.01).length > 0]).toEqual([8, true]);
});

test('search answers file, lines, score, headings and passage, as text and as structured content', async () => {
  const { text, structured } = await call('search', { query: 'how do I rotate a key?', limit: 1, path: 'docs' });
  expect(text.replace(/[01]\.\d\d/, 'SCORE')).toBe(
    'docs/keys.md:5 (SCORE) Keys > Rotation\n\nRun `vault rotate` to replace the active key.',
  );
  expect(structured).toEqual({
    results: [
      {
        ...{ place: 'docs/keys.md:5', key: 'keys.md', path: path.join(cwd, 'docs', 'keys.md') },
        ...{ startLine: 5, endLine: 5, breadcrumb: ['Keys', 'Rotation'], score: expect.any(Number) },
        text: 'Run `vault rotate` to replace the active key.',
      },
    ],
    ...{ leftOut: 0, notes: [] },
  });
});

test('search takes every option', async () => {
  const options = { mode: 'lexical', perFile: 1, contextDepth: 1, minScore: 0, tags: {}, explain: true, limit: 3 };
  const { text, structured } = await call('search', { query: 'key', ...options });
  expect(structured.results).toMatchObject([{ key: 'keys.md', explanation: { lexical: { terms: ['key'] } } }]);
  expect(text).toContain('## Loss');
  const merged = await call('search', { query: 'lost key rotate', mode: 'lexical', consolidate: true });
  expect(merged.text).toContain('## Rotation');
});

test('files that changed since they were indexed are noted, with a command that an agent can run', async () => {
  const folder = folderOf({ 'docs/a.md': 'A kettle.', 'docs/b.md': 'A lamp.' });
  const engine = await openEngine({ database: databasePath(folder) });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.close();
  writeFiles(folder, { 'docs/b.md': 'A brass lamp.' });
  const own = await overStdio(folder);
  onTestFinished(() => own.close());
  const { structured } = await call('search', { query: 'kettle', limit: 1 }, own);
  expect(structured.notes).toContain('Files since the last index: 1 changed. Update with: waymark index');
});

test('a budget leaves out whole passages, and says how to read them', async () => {
  const { text, structured } = await call('search', { query: 'gate', mode: 'lexical', limit: 50, budget: 500 });
  const results = structured.results as { text: string }[];
  const leftOut = Number(structured.leftOut);
  expect(results.length + leftOut).toBe(50);
  expect(results.length).toBeGreaterThan(3);
  for (const result of results) expect(result.text).toContain(filler);
  const [note = ''] = structured.notes as string[];
  expect(note).toMatch(/^Left out to stay within 500 tokens: (docs\/long\.md:\d+, ){5}and \d+ more\. Read them with /);
  expect(note).toContain(`, and ${leftOut - 5} more.`);
  expect(text.endsWith(note)).toBe(true);
});

test.each([
  ['search', { query: 'gate', mode: 'lexical', limit: 50, budget: 500 }],
  ['search', { query: 'gate', mode: 'lexical', limit: 50, explain: true, budget: 700 }],
  ['get', { path: 'docs/long.md', budget: 500 }],
])('the answer of %s %j is within its budget as text and as JSON', async (name, given) => {
  const { text, structured } = await call(name, given);
  expect(text.length).toBeLessThanOrEqual(4 * given.budget);
  expect(JSON.stringify(structured).length).toBeLessThanOrEqual(4 * given.budget);
});

test('get reads lines, passages around them, and the rest of a file that a budget cut', async () => {
  expect((await call('get', { path: 'docs/keys.md:5' })).text).toBe(
    'docs/keys.md:5 of 9 lines\n\nRun `vault rotate` to replace the active key.\n',
  );
  expect((await call('get', { path: 'keys.md:5', contextDepth: 1 })).structured).toMatchObject({
    ...{ startLine: 5, endLine: 9, lines: 9 },
  });
  const cut = await call('get', { path: 'docs/long.md', budget: 500 });
  const rest = /Read them with get: (\{.*\})$/.exec(cut.text)?.[1] ?? '{}';
  expect(cut.structured.next).toEqual(JSON.parse(rest));
  const { structured } = await call('get', { ...JSON.parse(rest), budget: 100_000 });
  expect(`${cut.structured.text}${structured.text}`).toBe(FILES['docs/long.md']);
});

test('get cuts a line that is longer than the budget, and continues after the cut', async () => {
  const { text, structured } = await call('get', { path: 'docs/my notes.md:3-5', budget: 500 });
  const [heading, , line = '', , , ...notes] = text.split('\n');
  expect(heading).toBe('docs/my notes.md:3 of 5 lines');
  expect(line).toMatch(/^Nothing of interest in here\. 🚂{500,1000}$/u);
  expect(notes).toEqual([
    'Line 3 has 4030 characters and is cut to stay within 500 tokens. Read all of it with a greater budget.',
    'Lines 4-5 are left out to stay within 500 tokens. Read them with get: {"path":"docs/my notes.md:4-5"}',
  ]);
  expect(structured).toMatchObject({ startLine: 3, endLine: 3, next: { path: 'docs/my notes.md:4-5' } });
  const { text: almostAll } = await call('get', { path: 'docs/my notes.md:3-4', budget: 500 });
  expect(almostAll).toContain(
    '\nLine 4 is left out to stay within 500 tokens. Read it with get: {"path":"docs/my notes.md:4"}',
  );
  const whole = await call('get', { path: 'docs/my notes.md:3', budget: 2000 });
  expect(whole.text).toContain(`\nNothing of interest in here. ${'🚂'.repeat(2000)}\n`);
});

test('list names files, all or of a path; status says what is indexed', async () => {
  const all = ['docs/keys.md', 'docs/long.md', 'docs/my notes.md'];
  expect((await call('list', {})).structured).toEqual({ files: all, total: 3 });
  expect((await call('list', { path: 'docs/*s.md' })).text).toBe('docs/keys.md\ndocs/my notes.md');
  expect((await call('list', { after: 'keys.md' })).text).toBe('docs/long.md\ndocs/my notes.md');
  expect((await call('list', { after: 'docs/keys.md' })).text).toBe('docs/long.md\ndocs/my notes.md');
  expect((await call('list', { path: 'none' })).text).toMatch(/^No indexed file matches "none"/);
  // Some agents cannot pass on an answer without a text.
  expect(await call('list', { after: 'z' })).toMatchObject({
    text: 'No file comes after "z".',
    structured: { total: 3 },
  });
  const { text, structured } = await call('status', {});
  expect(text).toContain('files     3 from docs');
  expect(structured).toMatchObject({ files: 3, bot: { name: 'default' } });
});

test.each([
  ['search', {}, 'query must be a non-empty string of at most 2048 bytes; it is missing.'],
  ['search', { query: 'x', limit: 0 }, 'limit must be an integer from 1 to 50; it is 0.'],
  ['search', { query: 'x', path: 7 }, 'path must be a string; it is 7.'],
  ['search', { query: 'x', budget: 10 }, 'budget must be an integer from 500 to 100000 tokens; it is 10.'],
  ['get', {}, 'path must be a string; it is missing.'],
  ['get', { path: 'no.md:3' }, 'File "no.md" is not indexed. Pass a path as waymark search prints it, or a key.'],
  ['get', { path: 'keys.md:40' }, 'keys.md has no line 40: pass lines from 1 to 9, as keys.md:1-9.'],
  ['get', { path: 'keys.md', contextDepth: 'x' }, 'contextDepth must be an integer from 0 to 10; it is "x".'],
  [
    'search',
    { query: 'x', top_k: 3 },
    'search has no argument "top_k": use query, limit, path, perFile, contextDepth, consolidate, mode, minScore, ' +
      'tags, explain, budget.',
  ],
  ['status', { verbose: true }, 'status has no argument "verbose": it takes none.'],
  ['list', { path: ['a'] }, 'path must be a string; it is ["a"].'],
  ['find', {}, 'There is no tool "find": use search, get, list, status.'],
])('an error of %s %j is a result with one sentence', async (name, given, sentence) => {
  expect(await call(name, given)).toMatchObject({ isError: true, text: sentence });
});

test('lists include every file, in the order of UTF-8 bytes, however long a path is', async () => {
  const long = `${'l'.repeat(240)}/${'m'.repeat(240)}/${'n'.repeat(240)}/${'o'.repeat(200)}.md`;
  const pages = Array.from({ length: 97 }, (_, i) => `p${100 + i}.md`);
  const names = ['a.md', long, ...pages, '\uff21.md', '\u{1f600}1.md', '\u{1f600}2.md'];
  const folder = folderOf(Object.fromEntries(names.map((name) => [`docs/${name}`, '# A\n\nThe gate opens.\n'])));
  const engine = await openEngine({ database: databasePath(folder) });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.close();
  const other = await overStdio(folder);
  onTestFinished(() => other.close());
  const listed: string[] = [];
  for (let next: Record<string, unknown> | undefined = { budget: 500 }; next; ) {
    const { structured }: Called = await call('list', next, other);
    listed.push(...(structured.files as string[]));
    next = structured.next as typeof next;
  }
  expect(listed).toEqual(names.map((name) => `docs/${name}`));
  const { resources, nextCursor } = await other.listResources();
  const rest = await other.listResources({ cursor: nextCursor ?? '' });
  expect([...resources, ...rest.resources].map(({ name }) => name)).toEqual(names);
});

test('requests that arrive before the input ends are answered', async () => {
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'rotate a key' } } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const stdout = execFileSync(process.execPath, [MAIN, 'mcp'], { cwd, input, encoding: 'utf8' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1].result.content[0].text).toContain('vault rotate');
});

test('each indexed file is a resource', async () => {
  const { resources } = await client.listResources();
  expect(resources).toEqual([
    { uri: 'waymark:///keys.md', name: 'keys.md' },
    { uri: 'waymark:///long.md', name: 'long.md' },
    { uri: 'waymark:///my%20notes.md', name: 'my notes.md' },
  ]);
  const { contents } = await client.readResource({ uri: 'waymark:///my%20notes.md' });
  expect(contents).toEqual([{ uri: 'waymark:///my%20notes.md', text: FILES['docs/my notes.md'] }]);
  for (const uri of ['waymark:///none.md', 'file:///etc/passwd', 'waymark:///%zz']) {
    await expect(client.readResource({ uri })).rejects.toThrow(uri);
  }
});

test('a folder that is indexed while the server runs is searched from then on', async () => {
  const folder = folderOf({ 'docs/a.md': '# Apples\n\nApples are red or green.\n' });
  const early = await overStdio(folder);
  onTestFinished(() => early.close());
  expect(await call('search', { query: 'apples' }, early)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^No index at .*waymark\.db\. Create one with: waymark index <folder>$/),
  });
  await waymark(['index', 'docs'], { cwd: folder });
  expect((await call('search', { query: 'apples' }, early)).text).toMatch(/^docs\/a\.md:3 /);
});

/** Starts a server over HTTP and returns its address. */
async function overHttp(): Promise<{ child: ChildProcess; url: URL }> {
  const child = startWaymark(['mcp', '--http', '--port', '0'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
      const [found] = /http:\S+(?=\n)/.exec(said) ?? [];
      if (found) resolve(found);
    });
    child.on('exit', () => reject(new Error(said)));
  });
  return { child, url: new URL(url) };
}

/** The status and body of a request as a browser or a program sends it. */
function answerTo(
  url: URL,
  { method = 'POST', headers = {}, body = '{}' }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<[status: number | undefined, message: string]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve([response.statusCode, JSON.parse(text).error?.message]));
    });
    sent.on('error', reject).end(body);
  });
}

test('over HTTP the tools are the same, and it ends with SIGTERM', async () => {
  const { child, url } = await overHttp();
  const remote = new Client({ name: 'test', version: '1' });
  // The SDK declares an optional member with undefined.
  await remote.connect(new StreamableHTTPClientTransport(url) as Parameters<Client['connect']>[0]);
  const question = { query: 'how do I rotate a key?', limit: 1 };
  expect((await call('search', question, remote)).text).toBe((await call('search', question)).text);
  await remote.close();
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('over HTTP, requests of other sites and names, other paths and other bodies are refused', async () => {
  const { url } = await overHttp();
  const answers = [
    await answerTo(url, { headers: { host: `evil.example:${url.port}` } }),
    await answerTo(url, { headers: { origin: 'https://evil.example' } }),
    await answerTo(new URL('/', url), {}),
    await answerTo(url, { method: 'GET', body: '' }),
    await answerTo(url, { body: '{' }),
    await answerTo(url, { body: JSON.stringify('a'.repeat(300_000)) }),
  ];
  expect(answers).toEqual([
    [403, 'The Host header must name this machine: use 127.0.0.1 or localhost.'],
    [403, 'Pages of other sites may not call this service: Origin must name this machine.'],
    [404, 'The Model Context Protocol is at /mcp.'],
    [405, 'POST messages here: there are no sessions and no streams to open.'],
    [400, 'The body must be JSON of at most 262144 bytes.'],
    [400, 'The body must be JSON of at most 262144 bytes.'],
  ]);
});

/** The answers over stdio to lines that follow the greeting, in the order in which they come. */
function answersTo(lines: readonly string[]) {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const greeting = [
    { jsonrpc: '2.0', id: 'hello', method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  const input = [...greeting.map((message) => JSON.stringify(message)), ...lines].join('\n');
  const stdout = execFileSync(process.execPath, [MAIN, 'mcp'], { cwd, input: `${input}\n`, encoding: 'utf8' });
  const answers = stdout.trimEnd().split('\n');
  return answers.map((line) => JSON.parse(line)).filter(({ id }) => id !== 'hello');
}

test('stdout has the protocol only, and the command ends with its input', () => {
  expect(answersTo(['{"jsonrpc":"2.0","id":1,"method":"ping"}', '', '\r', ' '])).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
  ]);
});

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

test('a line that is not a message is answered with an error, and the next one is served', () => {
  const rows = [
    ['no JSON', null, -32700, 'The message is not JSON: send one JSON object a line.'],
    ['{"jsonrpc":"2.0",', null, -32700, 'The message is not JSON: send one JSON object a line.'],
    [`[${PING}]`, null, -32600, 'Batches are not supported: send each message on a line of its own.'],
    ['[]', null, -32600, 'Batches are not supported: send each message on a line of its own.'],
    ['7', null, -32600, 'A message must be an object; it is 7.'],
    ['{"id":2,"method":"ping"}', 2, -32600, 'jsonrpc must be "2.0"; it is missing.'],
    ['{"jsonrpc":"2.0","id":"a"}', 'a', -32600, 'method must be a string; it is missing.'],
    ['{"jsonrpc":"2.0","id":2,"method":7}', 2, -32600, 'method must be a string; it is 7.'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600, 'id must be a string or a number; it is null.'],
    // Its answer would have another id.
    [
      '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
      null,
      -32600,
      'id must be at most 9007199254740991; it is 12345678901234567000.',
    ],
    [
      '{"jsonrpc":"2.0","id":2,"method":"prompts/list"}',
      2,
      -32601,
      'There is no method "prompts/list": use ping, initialize, tools/list, tools/call, resources/list, ' +
        'resources/templates/list, resources/read.',
    ],
    [
      '{"jsonrpc":"2.0","id":2,"method":"ping","more":1}',
      2,
      -32600,
      'A message has no member "more": it has jsonrpc, id, method and params.',
    ],
    [' '.repeat(256 * 1024 + 1), null, -32600, 'A message must have at most 256 KB: send less.'],
  ] as const;
  const refused = rows.map(([, id, code, message]) => ({ jsonrpc: '2.0', id, error: { code, message } }));
  const answers = answersTo([...rows.map(([line]) => line), PING]);
  expect(answers).toHaveLength(rows.length + 1);
  expect(answers).toEqual(expect.arrayContaining([...refused, { jsonrpc: '2.0', id: 1, result: {} }]));
});

test('a request that is too long is refused under its id, wherever in it the id is', () => {
  const name = 'q'.repeat(256 * 1024);
  const message = 'A message must have at most 256 KB: send less.';
  const refused = (id: string | number | null) => ({ jsonrpc: '2.0', id, error: { code: -32600, message } });
  const answers = answersTo([
    `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"id":3,"name":"${name}"}}`,
    `{"method":"tools/call","params":{"name":"} \\" \\\\","arguments":[{"id":3},"${name}"]},"jsonrpc":"2.0","id":"a\\"b"}`,
    `{"jsonrpc":"2.0","id":4,"result":{"text":"${name}"}}`,
    `[{"jsonrpc":"2.0","id":4,"method":"${name}"}]`,
    PING,
  ]);
  expect(answers).toHaveLength(5);
  expect(answers).toEqual(
    expect.arrayContaining([refused(2), refused('a"b'), refused(null), { jsonrpc: '2.0', id: 1, result: {} }]),
  );
});

test('a byte order mark before a message is not a part of it', () => {
  expect(answersTo([`\uFEFF${PING}`])).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
});

/** A request whose arguments are nested lists. */
function nested(levels: number): string {
  const lists = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  return `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","arguments":{"path":${lists}}}}`;
}

const TOO_DEEP = 'A message may have at most 100 levels of lists and objects: send fewer levels.';

test('a message that is nested too deeply is refused under its id, and the next one is served', () => {
  const refused = { jsonrpc: '2.0', id: 2, error: { code: -32600, message: TOO_DEEP } };
  const answers = answersTo([nested(98), nested(100_000), '['.repeat(100_000) + ']'.repeat(100_000), PING]);
  expect(answers).toHaveLength(4);
  expect(answers).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 2, result: expect.objectContaining({ isError: true }) },
      refused,
      { ...refused, id: null },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]),
  );
});

test('over HTTP, a message or a batch that is nested too deeply is refused', async () => {
  const { url } = await overHttp();
  const headers = { accept: 'application/json, text/event-stream' };
  for (const body of [nested(100_000), `[${nested(100_000)}]`]) {
    expect(await answerTo(url, { headers, body })).toEqual([400, TOO_DEEP]);
  }
});

test('over HTTP, a batch without messages, or with one that is wrong, is refused as a whole', async () => {
  const { url } = await overHttp();
  const headers = { accept: 'application/json, text/event-stream' };
  const wrong = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":7}}';
  const bodies = [`[${PING}]`, '[]', `[${PING},7]`, `[${PING},${wrong}]`];
  const answers = await Promise.all(bodies.map((body) => answerTo(url, { headers, body })));
  expect(answers).toEqual([
    [200, undefined],
    [400, 'A batch must have a message; this one is empty.'],
    [400, 'Message 2 of the batch: A message must be an object; it is 7.'],
    [400, 'Message 2 of the batch: name must be a string; it is 7.'],
  ]);
});

test('a response to a request that was never sent is ignored', () => {
  const lines = ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', '{"id":7,"result":{}}'];
  expect(answersTo([...lines, PING]).map(({ id }) => id)).toEqual([1]);
});

const WRONG_PARAMETERS = [
  ['resources/read', {}, 'uri must be a string; it is missing.'],
  ['resources/read', { uri: 7 }, 'uri must be a string; it is 7.'],
  ['resources/read', { uri: 'waymark:///none.md' }, /^waymark:\/\/\/none\.md is not indexed: list the resources /],
  ['resources/read', { uri: 'waymark:///' }, /^key must be a string of 1 to 1000 characters /],
  ['resources/list', { cursor: 'x' }, 'cursor must be the nextCursor of an answer; it is "x".'],
  ['tools/list', { cursor: [1] }, 'cursor must be a string; it is [1].'],
  ['tools/call', { name: 7 }, 'name must be a string; it is 7.'],
  [
    'tools/call',
    { name: 'search', arguments: 'x'.repeat(99) },
    `arguments must be an object; it is "${'x'.repeat(76)}….`,
  ],
  [
    'tools/call',
    { name: 'search', arguments: {}, _meta: { progressToken: {} } },
    /^_meta\.progressToken must be a string/,
  ],
  ['initialize', {}, 'protocolVersion must be a string; it is missing.'],
] as const;

test('a wrong parameter of a request is named in one sentence, with what it must be', () => {
  const requests = WRONG_PARAMETERS.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = answersTo(requests.map((request) => JSON.stringify(request)));
  const byId = answers.sort((a, b) => a.id - b.id);
  expect(byId).toEqual(
    WRONG_PARAMETERS.map(([, , sentence], id) => {
      const message = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence);
      return { jsonrpc: '2.0', id, error: { code: -32602, message } };
    }),
  );
});

test('over HTTP, wrong messages and parameters are refused with the same sentences', async () => {
  const { url } = await overHttp();
  const headers = { accept: 'application/json, text/event-stream' };
  const read = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
  expect(await answerTo(url, { headers, body: read({ uri: 7 }) })).toEqual([200, 'uri must be a string; it is 7.']);
  expect(await answerTo(url, { headers, body: '{"jsonrpc":"2.0","id":1}' })).toEqual([
    400,
    'method must be a string; it is missing.',
  ]);
});

test('an option out of range is refused before anything is served', async () => {
  const outcomes = await waymarkEach(
    [
      ['mcp', '--budget', '10'],
      ['mcp', '--http', '--port', '70000'],
    ],
    { cwd },
  );
  expect(outcomes.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual([
    [2, '', '--budget must be an integer from 500 to 100000 tokens; it is 10.\n'],
    [2, '', '--port must be an integer from 0 to 65535; it is 70000.\n'],
  ]);
});

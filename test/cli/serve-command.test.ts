import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine } from 'waymark';
import { waymark, waymarkEach } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { serving } from '../support/serving.js';

test('--dev prints a curl command that works, and the same one at the next start; SIGTERM exits with 0', async () => {
  const cwd = folderOf();
  const first = await serving(cwd, ['--dev']);
  const [line] = await first.said(/^curl .*$/m, 'stdout');
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --noproxy '*'`]);
  expect(JSON.parse(stdout)).toEqual({ passages: [] });
  expect(first.written.stderr).toContain('Index some in another terminal: waymark index <folder> --bot default\n');
  const file = path.join(cwd, '.waymark', 'dev-token');
  const token = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(line).toContain(token);
  expect(first.written.stderr).not.toContain(token);
  expect(await first.stop('SIGTERM')).toBe(0);
  expect(first.written.stderr).toContain(`; search page at ${first.url}/\n`);
  const second = await serving(cwd, ['--dev', '--no-page']);
  expect([(await fetch(second.url)).status, second.written.stderr]).toEqual([
    403,
    expect.not.stringContaining('page at'),
  ]);
  const [again] = await second.said(/^curl .*$/m, 'stdout');
  expect(again.replace(second.url, first.url)).toBe(line);
  expect(await second.stop('SIGINT')).toBe(0);
});

test('--dev keeps the token of each database, also where two are in one folder', async () => {
  const cwd = folderOf();
  const curlOf = async (database: string) => {
    const { said, stop, url } = await serving(cwd, ['--dev', '--database', database]);
    const [line] = await said(/^curl .*$/m, 'stdout');
    await stop('SIGTERM');
    return line.replace(url, '');
  };
  const first = await curlOf('tea.db');
  expect(await curlOf('rye.db')).not.toBe(first);
  expect(await curlOf('tea.db')).toBe(first);
});

test('without a token serve prints the commands that create one', async () => {
  const cwd = folderOf();
  const { said, url } = await serving(cwd);
  await said(/^ {2}waymark token create .*$/m, 'stderr');
  const [told] = await said(/^No access tokens yet[\s\S]*$/m, 'stderr');
  const commands = told.split('\n').filter((line) => line.startsWith('  waymark '));
  let token = '';
  for (const command of commands) {
    const args = command.trim().replaceAll("'", '').split(' ').slice(1);
    const { code, stdout, stderr } = await waymark(args, { cwd });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    token = stdout.trim();
  }
  const workspaces = await waymark(['workspace', 'list', '--json'], { cwd });
  const [{ id }] = JSON.parse(workspaces.stdout).workspaces;
  const response = await fetch(`${url}/v1/admin/bots`, {
    headers: { authorization: `Bearer ${token}`, 'x-workspace-id': id },
  });
  expect(response.status).toBe(200);
  expect(((await response.json()) as { bots: { name: string }[] }).bots.map(({ name }) => name)).toEqual(['support']);
});

/** Starts a service and sends it a request with a token whose body never ends; resolves once it waits for the rest. */
async function withUnfinishedBody(args: readonly string[]) {
  const service = await serving(folderOf(), ['--dev', ...args]);
  const [curl] = await service.said(/^curl .*$/m, 'stdout');
  const headers = [...curl.matchAll(/-H '([^']*)'/g)].map(([, header]) => `${header}\r\n`).join('');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const rest = 'Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{';
  socket.write(`PUT /v1/files HTTP/1.1\r\nHost: localhost\r\n${headers}${rest}`);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
  return service;
}

test('SIGTERM ends the service within --grace, whatever its connections do, and exits with 0', async () => {
  const { stop } = await withUnfinishedBody(['--grace', '0.1']);
  expect(await stop('SIGTERM')).toBe(0);
});

test('a second signal ends the service at once, as the system does', async () => {
  const { url, child, ended } = await withUnfinishedBody(['--grace', '3600']);
  child.kill('SIGTERM');
  const isListening = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  while (await isListening());
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});

test('with --watch, a bot whose model is gone is reported, and the service goes on', async () => {
  const cwd = folderOf();
  mkdirSync(path.join(cwd, '.waymark'));
  const database = path.join(cwd, '.waymark', 'waymark.db');
  const engine = await openEngine({ database, model: createHashEmbedder() });
  await engine.indexFile('a.md', 'Apples are red.');
  await engine.close();
  const { said, url } = await serving(cwd, ['--watch']);
  await said(
    /^The folders of bot "default" are not watched: The files of bot "default" were embedded with hash, /m,
    'stderr',
  );
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('with --watch, the folders of the configuration file go to one bot, not to all that share its name', async () => {
  const settings = JSON.stringify({ folders: { notes: { path: 'docs' } } });
  const cwd = folderOf({ 'docs/a.md': 'The launch code.', '.waymark/config.json': settings });
  const create = ['bot', 'create', 'default', '--json'];
  const created = await waymarkEach([['workspace', 'create', 'acme'], create, [...create, '--workspace', 'acme']], {
    cwd,
  });
  const { id } = JSON.parse(created[2]?.stdout ?? '');
  const { said, stop } = await serving(cwd, ['--watch']);
  await said(
    /^The folders of the configuration file are not added: 2 bots are named "default": pass the id of one: .*$/m,
    'stderr',
  );
  await said(/^There are no folders to watch yet/m, 'stderr');
  await stop('SIGTERM');
  const chosen = await serving(cwd, ['--watch'], { WAYMARK_BOT: id });
  await chosen.said(/^docs: 1 added$/m, 'stderr');
  await chosen.stop('SIGTERM');
  const { bots } = JSON.parse((await waymark(['bot', 'list', '--json'], { cwd })).stdout);
  const indexed = bots.filter(({ deployedAt }: { deployedAt?: string }) => deployedAt !== undefined);
  expect(indexed.map((bot: { id: string }) => bot.id)).toEqual([id]);
});

test('a damaged token is reported, and the service goes on', async () => {
  const cwd = folderOf();
  await waymark(['workspace', 'create', 'acme'], { cwd });
  await waymark(['token', 'create', 'laptop', '--workspace', 'acme', '--role', 'admin'], { cwd });
  const database = new Sqlite(path.join(cwd, '.waymark', 'waymark.db'));
  database.exec(`UPDATE tokens SET role = 'adm1n'`);
  database.close();
  const { said, url, stop } = await serving(cwd);
  await said(/^The row of the token laptop is damaged in the database: repair it with: .*$/m, 'stderr');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await stop('SIGTERM')).toBe(0);
});

test('a port in use: exit code 4, and what to do about it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
  });
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { code, stdout, stderr } = await waymark(['serve', '--port', String(port)], { cwd: folderOf() });
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toContain(
    `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or choose another with --port.\n`,
  );
});

test('a dev token that cannot be stored is revoked: exit code 4, and nothing listens', async () => {
  const cwd = folderOf();
  const file = path.join(cwd, '.waymark', 'dev-token');
  mkdirSync(file, { recursive: true });
  expect(await waymark(['serve', '--dev', '--port', '0'], { cwd })).toEqual({
    code: 4,
    stdout: '',
    stderr:
      `${file} cannot be read or replaced (EISDIR): remove it, ` +
      'or correct the permissions of the file and its folder, then start again.\n',
  });
  const { stdout } = await waymark(['token', 'list'], { cwd });
  expect(stdout).toMatch(/^dev {2}[\w-]+ {2}admin {2}all bots {2}revoked .*\n$/);
});

test('an address that the system refuses: exit code 4, and what to do about it', async () => {
  const { code, stderr } = await waymark(['serve', '--port', '0', '--host', 'fe80::1'], { cwd: folderOf() });
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr:
      'The system does not listen on fe80::1. Choose another address with --host, such as 127.0.0.1; ' +
      'a link-local one needs its interface, as in fe80::1%eth0.\n',
  });
});

test.each([
  [['--host', ''], '--host must be an address such as 127.0.0.1; it is "".'],
  [['--port', '70000'], '--port must be an integer from 0 to 65535; it is 70000.'],
  [['--port', 'http'], '--port must be an integer from 0 to 65535; it is "http".'],
  [['--upload-limit', '0'], '--upload-limit must be above 0 and at most 256 megabytes; it is 0.'],
  [['--grace', '-1'], '--grace must be a number of seconds from 0 to 3600; it is -1.'],
  [['--rate-limit', '0'], '--rate-limit must be a positive integer; it is 0.'],
  [
    ['--public-url', 'example.com'],
    '--public-url must be a URL such as https://search.example.com; it is "example.com".',
  ],
  [
    ['--public-url', 'http://a:99999'],
    '--public-url must be a URL such as https://search.example.com; it is "http://a:99999".',
  ],
  [
    ['--cors-origin', 'https://docs.example.com/'],
    '--cors-origin must be an origin such as https://docs.example.com, without a path; it is "https://docs.example.com/".',
  ],
  [
    ['--cors-origin', '*'],
    '--cors-origin must be an origin such as https://docs.example.com, without a path; it is "*".',
  ],
  [
    ['--public-url', 'https://[::1'],
    '--public-url must be a URL such as https://search.example.com; it is "https://[::1".',
  ],
])('invalid options of serve %j: exit code 2, and no database is created', async (args, message) => {
  const cwd = folderOf();
  expect(await waymark(['serve', ...args], { cwd })).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  expect(existsSync(path.join(cwd, '.waymark'))).toBe(false);
});

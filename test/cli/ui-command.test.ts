import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWaymark, waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';

/** Starts `waymark ui` in a folder and waits for its address. */
async function opened(cwd: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child = startWaymark(['ui', '--no-open', ...more], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    said += part;
  });
  const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${said}`)));
  const [address] = await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), early]);
  const stop = async (): Promise<unknown> => {
    child.kill('SIGINT');
    return (await ended)[0];
  };
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { address: String(address).trim(), stop, kill };
}

async function indexed(): Promise<string> {
  const cwd = folderOf({ 'docs/tea.md': '# Tea\n\nA kettle boils the water.' });
  expect(await waymark(['index', 'docs'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

test('ui serves the search page on a free port of this machine until Ctrl-C; a second ui says where', async () => {
  const cwd = await indexed();
  const { address, stop } = await opened(cwd);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await fetch(`${address}/?query=kettle`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<b>kettle</b>')]);
  expect(await waymark(['ui', '--no-open'], { cwd })).toEqual({
    code: 0,
    stdout: `${address}\n`,
    stderr: 'The search page of this database is open already:\n',
  });
  expect(await stop()).toBe(0);
  expect(existsSync(path.join(cwd, '.waymark', 'ui-address'))).toBe(false);
});

test('ui of another database in the same folder opens its own page', async () => {
  const cwd = folderOf({ 'tea/tea.md': 'A kettle boils.', 'rye/rye.md': 'An oven bakes.' });
  for (const name of ['tea', 'rye']) await waymark(['index', name, '--database', `${name}.db`], { cwd });
  const [tea, rye] = [await opened(cwd, ['--database', 'tea.db']), await opened(cwd, ['--database', 'rye.db'])];
  const found = async (address: string) => (await fetch(`${address}/?query=kettle+oven`)).text();
  expect(await found(tea.address)).toContain('tea.md');
  expect(await found(rye.address)).toContain('rye.md');
  const again = await waymark(['ui', '--no-open', '--database', 'tea.db'], { cwd });
  expect(again.stdout).toBe(`${tea.address}\n`);
});

/** Root ignores permissions, and only root can become another user. */
const NOBODY = 65_534;

test.runIf(process.getuid?.() === 0)(
  'ui serves an index in a folder that cannot be written to (requires root)',
  async () => {
    const cwd = await indexed();
    for (const folder of [cwd, path.join(cwd, '.waymark')]) chmodSync(folder, 0o555);
    const become = `process.setgid(${NOBODY});process.setuid(${NOBODY})`;
    const { address, stop } = await opened(cwd, [], { NODE_OPTIONS: `--import=data:text/javascript,${become}` });
    expect(await (await fetch(`${address}/?query=kettle`)).text()).toContain('<b>kettle</b>');
    expect(await stop()).toBe(0);
    expect(existsSync(path.join(cwd, '.waymark', 'ui-address'))).toBe(false);
  },
);

test('the address file of a page that was killed is replaced, whatever it contains', async () => {
  const cwd = await indexed();
  for (const left of ['http://127.0.0.1:1\n', 'https://evil.example\n', '']) {
    writeFileSync(path.join(cwd, '.waymark', 'ui-address'), left, { mode: 0o600 });
    const { address, stop } = await opened(cwd);
    expect((await fetch(address)).status).toBe(200);
    expect(await stop()).toBe(0);
  }
});

test('a page of another database on the port of a killed page is not mistaken for that page', async () => {
  const [first, second] = await Promise.all([indexed(), indexed()]);
  const killed = await opened(first);
  await killed.kill();
  const { address } = await opened(second, ['--port', new URL(killed.address).port]);
  expect(address).toBe(killed.address);
  expect((await opened(first)).address).not.toBe(address);
});

test('without an index ui says how to make one, and creates nothing', async () => {
  const cwd = folderOf();
  const { code, stderr } = await waymark(['ui', '--no-open'], { cwd });
  expect([code, stderr]).toEqual([3, expect.stringContaining('waymark index')]);
  expect(existsSync(path.join(cwd, '.waymark'))).toBe(false);
});

test('an invalid port is refused', async () => {
  const { code, stderr } = await waymark(['ui', '--port', '70000'], { cwd: folderOf() });
  expect([code, stderr]).toEqual([2, '--port must be an integer from 0 to 65535; it is 70000.\n']);
});

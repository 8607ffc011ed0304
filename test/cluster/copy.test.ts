import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { copyDatabase, createHashEmbedder, openHost } from 'waymark';
import { type Outcome, startWaymark, waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { mixedBots } from '../support/mixed-bots.js';
import { until } from '../support/until.js';
import { type Cluster, startCluster } from './start.js';

/** Not the cluster that other tests share, because all of it is copied into a database. */
let cluster: Cluster;
let hosts: string[];

beforeAll(async () => {
  cluster = await startCluster();
  hosts = cluster.hosts.map(({ http, grpc }) => `http://${http}?grpc=${grpc}`);
});

afterAll(() => cluster?.stop());

/** Runs `waymark copy` in a folder. */
function copy(cwd: string, args: readonly string[], env = {}): Promise<Outcome> {
  return waymark(['copy', ...args], { cwd, env });
}

const DOCS = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `docs/guide${i}.md`,
    `# Guide ${i}\n\nPump number${i} is agreed.\n\n## Keys\n\nRotate key${i} twice.\n`,
  ]),
);

test('the command copies a database to a cluster, even after a kill, and back; searches find the same', async () => {
  const cwd = folderOf(DOCS);
  const to = hosts.join(',');
  expect((await waymark(['index', 'docs'], { cwd })).code).toBe(0);
  const killed = startWaymark(['copy', '--to-cluster', to], { cwd });
  let said = '';
  killed.stderr?.on('data', (text) => {
    said += text;
    if (/copying/.test(said)) killed.kill('SIGKILL');
  });
  await until(async () => killed.exitCode !== null || killed.signalCode !== null);

  const { code, stdout, stderr } = await copy(cwd, ['--to-cluster', to]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('default: asking 50 questions') });
  expect(stdout).toMatch(/^default: \d+ files copied(, \d+ there already)?, \d+ passages\ndefault: 50 questions asked/);
  const again = await copy(cwd, ['--to-cluster', '--json'], { WAYMARK_CLUSTER: to });
  expect(JSON.parse(again.stdout)).toMatchObject({ isAlike: true, bots: [{ copied: 0, unchanged: 30 }] });

  const back = await copy(cwd, ['--from-cluster', to, '--database', 'new/.waymark/waymark.db']);
  expect(back).toMatchObject({ code: 0, stdout: expect.stringMatching(/^default: 30 files copied, 60 passages\n/) });
  expect(existsSync(path.join(cwd, 'new/.waymark/.gitignore'))).toBe(true);
  const search = async (...place: string[]) => {
    const args = ['search', 'rotate key7', '--format', 'json', '--limit', '3', ...place];
    const { passages } = JSON.parse((await waymark(args, { cwd })).stdout) as { passages: { content: string }[] };
    return passages.map(({ content }) => content);
  };
  const found = await search();
  expect(found[0]).toContain('key7');
  expect(await search('--cluster', to)).toEqual(found);
  expect(await search('--database', 'new/.waymark/waymark.db')).toEqual(found);
  expect((await waymark(['doctor', '--database', 'new/.waymark/waymark.db'], { cwd })).code).toBe(0);
  await waymark(['bot', 'delete', 'default', '--yes', '--cluster', to], { cwd });
});

test('bots of every kind are copied to a cluster and back, with their tokens, uploads and passages', async () => {
  const model = createHashEmbedder();
  const { database, uploads, token } = await mixedBots(model);
  const base = path.dirname(database);
  const there = await copyDatabase({ from: { database }, to: { cluster: { hosts, base } }, model });
  expect(there).toMatchObject({ isAlike: true, notes: [] });
  expect(there.bots.map(({ name, copied, failed }) => [name, copied, failed])).toEqual([
    ['default', 5, []],
    ['support', 8, []],
    ['empty', 0, []],
  ]);
  const copied = path.join(base, 'copy.db');
  const back = await copyDatabase({ from: { cluster: { hosts, base } }, to: { database: copied }, model });
  expect(back.isAlike).toBe(true);
  const same = await copyDatabase({ from: { database }, to: { database: copied }, model });
  expect(same.bots.map((bot) => [bot.copied, bot.unchanged, bot.left])).toEqual([
    [0, 5, 0],
    [0, 8, 0],
    [0, 0, 0],
  ]);
  const host = await openHost({ cluster: { hosts }, model });
  onTestFinished(() => host.close());
  expect(await host.authenticate(token)).toMatchObject({ name: 'ci', bots: [uploads] });
  const files = await host.bot(uploads);
  await until(async () => {
    const { files: open } = await files.listFiles({ indexed: false, pageSize: 10 });
    return open.every(({ status }) => status !== 'indexing_pending');
  });
  expect((await files.searchFiles({ query: 'heron' })).passages.length).toBeGreaterThan(0);
  const { passages } = await files.listFilePassages({ id: 'cut.md' });
  expect(passages.map(({ content }) => content)).toEqual(['First cut.', 'Second cut.', 'First cut.']);
});

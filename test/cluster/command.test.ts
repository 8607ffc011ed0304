import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../support/folder.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/cluster.ts', import.meta.url));

/** What `npm run cluster` runs; clusters of these tests are not among those of the user. */
function clusterCommand(): (...args: string[]) => Promise<string> {
  const env = { ...process.env, TMPDIR: folderOf() };
  return async (...args) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', SCRIPT, ...args], { env });
    return stdout;
  };
}

test('a cluster is started, shown and stopped by its id while another one runs', async () => {
  const cluster = clusterCommand();
  expect(await cluster('status')).toBe('No cluster runs: npm run cluster -- start\n');
  const outputs = await Promise.all([
    cluster('start', '--nodes', '1', '--api-key', 'a'),
    cluster('start', '--nodes', '1'),
  ]);
  const started = outputs.map((output) => {
    const [, id = '', folder = '', http = ''] =
      /^(\w+) {2}data and logs in (.*)\n {2}node1 {2}(\S+) /.exec(output) ?? [];
    onTestFinished(async () => {
      await cluster('stop', id).catch(() => {});
    });
    return { id, folder, http, output };
  });
  for (const { http, id, output } of started) {
    expect(output).toMatch(
      new RegExp(`\nWAYMARK_CLUSTER=${http}\\?grpc=\\d+\nTo stop it: npm run cluster -- stop ${id}\n`),
    );
  }
  const answers = await Promise.all(started.map(({ http }) => fetch(`${http}/v1/schema`)));
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  const [first, second] = started as [(typeof started)[0], (typeof started)[0]];
  expect(await cluster('stop', first.id)).toBe(`Stopped ${first.id} and removed its data.\n`);
  await expect(fetch(first.http)).rejects.toThrow('fetch failed');
  expect(existsSync(first.folder)).toBe(false);
  expect(await cluster('status')).toMatch(new RegExp(`^${second.id}  data.*\n  node1  ${second.http} .* MB\n$`));
  await cluster('stop', second.id);
});

test('an id that no cluster has is refused', async () => {
  const cluster = clusterCommand();
  const refused = expect.objectContaining({ code: 2, stderr: 'There is no cluster abc. None runs.\n' });
  await expect(cluster('stop', 'abc')).rejects.toEqual(refused);
  await expect(cluster('status', 'abc')).rejects.toEqual(refused);
});

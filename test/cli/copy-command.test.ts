import { expect, test } from 'vitest';
import { waymark } from '../support/command.js';
import { folderOf } from '../support/folder.js';

/** Nothing listens on this port, and without a database the command does not connect to it. */
const CLUSTER = 'http://127.0.0.1:9';

test('the direction and the cluster must be given', async () => {
  const cwd = folderOf();
  const direction = 'Pass either --to-cluster or --from-cluster.\n';
  expect(await waymark(['copy'], { cwd })).toEqual({ code: 2, stdout: '', stderr: direction });
  const both = await waymark(['copy', '--to-cluster', CLUSTER, '--from-cluster', CLUSTER], { cwd });
  expect(both).toEqual({ code: 2, stdout: '', stderr: direction });
  expect(await waymark(['copy', '--from-cluster'], { cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'No cluster is set: pass its hosts, such as --from-cluster http://10.0.0.1:8080, or set WAYMARK_CLUSTER.\n',
  });
});

test('an empty --to-cluster counts as no cluster', async () => {
  const { code, stderr } = await waymark(['copy', '--to-cluster', ''], { cwd: folderOf() });
  const message =
    'No cluster is set: pass its hosts, such as --to-cluster http://10.0.0.1:8080, or set WAYMARK_CLUSTER.\n';
  expect({ code, stderr }).toEqual({ code: 2, stderr: message });
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['the environment', { WAYMARK_CLUSTER: CLUSTER, WAYMARK_DATABASE: 'other.db' }, {}],
  [
    'the configuration file, with empty variables',
    { WAYMARK_CLUSTER: '', WAYMARK_DATABASE: '' },
    { '.waymark/config.json': `{ "cluster": "${CLUSTER}" }` },
  ],
  ['the configuration file', {}, { '.waymark/config.json': `{ "cluster": "${CLUSTER}", "bot": "support" }` }],
])('with a cluster in %s, the database is still the local side', async (_name, env, files) => {
  const cwd = folderOf(files);
  const { code, stdout, stderr } = await waymark(['copy', '--to-cluster'], { cwd, env });
  const database = env.WAYMARK_DATABASE || '.waymark/waymark.db';
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^No index at .*/${database}\\. `));
});

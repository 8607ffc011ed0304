import { existsSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { node } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { databaseIn } from './docs.js';

const START = fileURLToPath(new URL('../../dist/cli/start.js', import.meta.url));

test('npm start indexes corpus/ and answers its sample; a question of mine indexes nothing again', async () => {
  const cwd = folderOf({
    // An index of a folder above is not what the sample is for.
    '.waymark/waymark.db': 'not a database',
    'clone/corpus/delivery.md': '# Delivery\n\nGive a slow receiver a queue of its own, then nothing waits for it.\n',
    'clone/corpus/keys.md': '# Keys\n\nKeys are changed with `fernpost keys rotate`.\n',
  });
  const clone = path.join(cwd, 'clone');
  // A file is only passed over by its time when that is some seconds old.
  for (const name of ['delivery.md', 'keys.md']) utimesSync(path.join(clone, 'corpus', name), 1e9, 1e9);
  const first = await node([START], { cwd: clone });
  expect(first).toMatchObject({ code: 0, stderr: 'Reading 2 files\nEmbedding 2 passages\n' });
  expect(first.stdout).toMatch(
    /^How do I stop a slow receiver from holding up everything else\?\n\ncorpus\/delivery\.md:3 {2}0\.\d\d\nDelivery\n {2}> Give a slow receiver a queue of its own, then nothing waits for it\.\n/,
  );
  expect(first.stdout).toMatch(/\nAsk your own: npm start -- "my question"\n$/);
  expect(existsSync(databaseIn(clone))).toBe(true);
  const second = await node([START, 'How do I change', 'the keys?'], { cwd: clone });
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toMatch(/^How do I change the keys\?\n\ncorpus\/keys\.md:3 /);
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { node } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { databasePath } from './documentation.js';

const START = fileURLToPath(new URL('../../dist/cli/start.js', import.meta.url));

test('npm start indexes corpus/ and answers the sample question; another question embeds nothing again', async () => {
  const cwd = folderOf({
    // The index of an ancestor folder must not be used.
    '.waymark/waymark.db': 'not a database',
    'clone/corpus/secrets.md':
      '# Secrets\n\nOnce the signing secret is rotated, webhooks have both signatures for a day.\n',
    'clone/corpus/keys.md': '# Keys\n\nKeys are changed with `fernpost keys rotate`.\n',
  });
  const clone = path.join(cwd, 'clone');
  const first = await node([START], { cwd: clone });
  expect(first).toMatchObject({ code: 0, stderr: 'Reading 2 files\nEmbedding 2 passages\n' });
  expect(first.stdout).toMatch(
    /^How do I rotate a signing secret without losing webhooks\?\n\ncorpus\/secrets\.md:3 {2}0\.\d\d\nSecrets\n {2}┃ Once the signing secret is rotated, webhooks have both signatures for a day\.\n/,
  );
  expect(first.stdout).toMatch(/\nAsk your own question: npm start -- "my question"\n$/);
  expect(existsSync(databasePath(clone))).toBe(true);
  const second = await node([START, 'How do I change', 'the keys?'], { cwd: clone });
  expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining('Embedding')]);
  expect(second.stdout).toMatch(/^How do I change the keys\?\n\ncorpus\/keys\.md:3 /);
});

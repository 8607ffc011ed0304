import path from 'node:path';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const DOCS = {
  'backup.md':
    '# Backups\n\n## Schedule\n\nA copy of the database is made every night at two.\n\n## Restore\n\nStop the service, put the copy in place of the data folder, start it again.\n',
  'users.md':
    '# Users\n\n## Invite\n\nSend a colleague a link by e-mail; it is good for three days.\n\n## Roles\n\nAn administrator may do everything, a reader may only look.\n',
  'network.md':
    '# Network\n\n## Ports\n\nThe service listens on 8080.\n\n## Proxy\n\nSet HTTPS_PROXY where the machine has no direct way out.\n',
};

/** Questions, and the beginning of the passage that answers each. */
const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['How do I bring my information back after the disk died?', 'Stop the service, put the copy'],
  ['let a new coworker in', 'Send a colleague a link'],
  ['our firewall blocks outgoing traffic', 'Set HTTPS_PROXY'],
  ['what is a reader allowed to do?', 'An administrator may do everything'],
];

test('the bundled model finds the passage that answers, after indexing and after reopening', async () => {
  const database = path.join(folderOf(), 'waymark.db');
  const first = await openEngine({ database });
  expect(await first.indexFolder(folderOf(DOCS))).toMatchObject({ added: 3, failed: [] });
  const before = await first.searchFiles({ query: 'let a new coworker in' });
  await first.close();

  const engine = await openEngine({ database, create: false });
  const answers = QUESTIONS.map(([question]) => engine.searchFiles({ query: question, contextDepth: 0 }));
  for (const [i, { passages }] of (await Promise.all(answers)).entries()) {
    expect(passages[0]?.content).toContain(QUESTIONS[i]?.[1]);
  }
  expect(await engine.searchFiles({ query: 'let a new coworker in' })).toEqual(before);
  await engine.close();
});

test('the bundled model highlights the sentence that answers', async () => {
  const engine = await engineOf({ model: 'waymark-docs-small-en' });
  const text = 'The service listens on 8080. Set HTTPS_PROXY where there is no way out. Logs go to stderr.';
  const { start, end } = (await engine.highlight('our firewall blocks outgoing traffic', text)) ?? {};
  expect(text.slice(start, end)).toBe('Set HTTPS_PROXY where there is no way out.');
});

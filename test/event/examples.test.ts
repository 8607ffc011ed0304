import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openEngine } from 'waymark';
import { indexed } from '../search/indexed.js';
import { node } from '../support/command.js';
import { folderOf } from '../support/folder.js';
import { message } from './events.js';

const BOT = new URL('../../examples/bot/', import.meta.url);
const RUN = fileURLToPath(new URL('run.js', BOT));

const FILES = {
  'docs/replay.md':
    '---\ntitle: Dead letters\ntags: [guide]\n---\n\n# Replay\n\nA dead letter is replayed with `dlq replay`.\n',
  'docs/limits.md': '# Limits\n\nA queue holds a thousand letters.\n',
};

test('the hook fills the event, the action answers from it, the card lists its sources', async () => {
  const [{ beforeAnswer }, { answer }, { runCard, sourcesCard }] = await Promise.all(
    ['hook.js', 'action.js', 'card.js'].map((file) => import(new URL(file, BOT).href)),
  );
  const engine = await indexed(FILES);
  const event = await beforeAnswer(message('how is a dead letter replayed'), { search: engine });
  expect(event.kb.included.map(({ name }: { name: string }) => name)).toEqual(['guides', 'everything else']);
  expect(answer({ event })).toBe('Dead letters\nA dead letter is replayed with `dlq replay`.');
  expect(runCard(sourcesCard, { event })).toBe('Read on about "how is a dead letter replayed":\n- docs/replay.md');
  expect(answer({ event: message('hello') })).toBe('I found nothing about that.');
});

test('node examples/bot/run.js answers from the index of the current folder', async () => {
  const folder = folderOf(FILES);
  const unindexed = await node([RUN], { cwd: folder });
  expect(unindexed).toMatchObject({ code: 1, stdout: '' });
  expect(unindexed.stderr).toMatch(/^No index at .+\. Create one with: waymark index <folder>\n$/);
  const engine = await openEngine({ database: path.join(folder, '.waymark', 'waymark.db') });
  await engine.indexFolder(path.join(folder, 'docs'));
  await engine.close();
  const asked = await node([RUN, 'How do I replay', 'a dead letter?'], { cwd: folder });
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  expect(asked.stdout).toMatch(/^Dead letters\nA dead letter is replayed with `dlq replay`\.\n/);
  expect(asked.stdout).toMatch(/\n\nRead on about "How do I replay a dead letter\?":\n- replay\.md\n/);
  const unknown = await node([RUN, 'Who sang the second aria?'], { cwd: folder });
  expect(unknown).toEqual({ code: 0, stderr: '', stdout: 'I found nothing about that.\n' });
});

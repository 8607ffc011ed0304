import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, reembed } from 'waymark';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';

const FOLDER = { 'a.md': 'apples', 'b.md': 'pears' };

/** The warnings of the process until the test ends. */
function processWarnings(): string[] {
  const messages: string[] = [];
  const warned = ({ message }: Error) => void messages.push(message);
  process.on('warning', warned);
  onTestFinished(() => void process.off('warning', warned));
  return messages;
}

function throwing(reason: string): () => void {
  return () => {
    throw new Error(reason);
  };
}

function rejecting(reason: string): () => Promise<void> {
  return () => Promise.reject(new Error(reason));
}

test.each([
  ['throw', throwing],
  ['reject', rejecting],
])('callbacks that %s fail no call, and the first error of each is a process warning', async (_, callback) => {
  const messages = processWarnings();
  const database = `${folderOf()}/waymark.db`;
  const engine = await engineOf({ database, onStage: callback('no clock') });
  const { added, failed } = await engine.indexFolder(folderOf(FOLDER), { onProgress: callback('no console') });
  expect([added, failed]).toEqual([2, []]);
  expect(await engine.search('apples', { limit: 1 })).toMatchObject([{ file: { key: 'a.md' } }]);
  await engine.close();
  const done = await reembed({
    database,
    model: createHashEmbedder({ name: 'new' }),
    onProgress: callback('no terminal'),
  });
  expect(done).toMatchObject({ changed: true, embedded: 2 });
  await setImmediate();
  expect(messages).toEqual([
    'The callback onProgress failed, and the work went on without it: no console',
    'The callback onStage failed, and the work went on without it: no clock',
    'The callback onProgress failed, and the work went on without it: no terminal',
  ]);
});

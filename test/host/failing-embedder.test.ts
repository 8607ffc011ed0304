import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, type Embedder, openHost, WaymarkError } from 'waymark';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';
import { until } from '../support/until.js';

test('an upload that the embedder refuses fails after one attempt, whatever code the embedder throws', async () => {
  const hash = createHashEmbedder();
  const asked: string[][] = [];
  const embedder: Embedder = {
    ...hash,
    async embedPassages(texts) {
      asked.push([...texts]);
      throw new WaymarkError('BUSY', 'Another process writes.');
    },
  };
  const host = await openHost({ database: `${folderOf()}/waymark.db`, model: embedder });
  onTestFinished(() => host.close());
  const { files } = await newBot(host);
  await files.uploadFile({ key: 'a.md', content: 'The pump restarts.', index: true });
  await until(async () => (await files.getFile({ id: 'a.md' })).file.status !== 'indexing_pending');
  expect((await files.getFile({ id: 'a.md' })).file).toMatchObject({
    status: 'indexing_failed',
    failedStatusReason: 'hash could not embed a text: Another process writes.',
  });
  expect(asked).toEqual([['The pump restarts.']]);
});

import { expect, test } from 'vitest';
import { createHashEmbedder, openHost } from 'waymark';
import { folderOf } from '../support/folder.js';
import { newBot } from '../support/new-bot.js';

async function upload(indexing: unknown) {
  const host = await openHost({ database: `${folderOf()}/waymark.db`, model: createHashEmbedder() });
  try {
    const { files } = await newBot(host);
    return (await files.uploadFile({ key: 'a.md', content: 'x', indexing: indexing as { configuration: object } }))
      .file;
  } finally {
    await host.close();
  }
}

test('an indexing configuration that says what Waymark does is accepted', async () => {
  const configuration = {
    parsing: { mode: 'standard', smartCleanup: false },
    chunking: { embedBreadcrumb: true, embeddedContextLevels: 0 },
    summarization: { enable: false, generateMasterSummary: false },
    vision: { transcribePages: false, indexPages: false },
  };
  expect(await upload({ configuration })).toMatchObject({ key: 'a.md', metadata: {} });
  expect(await upload({ configuration: {} })).toMatchObject({ key: 'a.md' });
});

test.each([
  [
    { parsing: { mode: 'agent' } },
    'indexing.configuration.parsing.mode must be standard, which is what Waymark does; it is "agent".',
  ],
  [
    { chunking: { maximumChunkLength: 500 } },
    'indexing.configuration.chunking must be an object of embedBreadcrumb and embeddedContextLevels alone: other ' +
      'options are not supported; it is { maximumChunkLength: 500 }.',
  ],
  [
    { vision: { indexPages: [1, 2] } },
    'indexing.configuration.vision.indexPages must be false, which is what Waymark does; it is [ 1, 2 ].',
  ],
  [
    { stack: 'legacy' },
    'indexing.configuration must be an object of parsing, chunking, summarization and vision alone: other options ' +
      "are not supported; it is { stack: 'legacy' }.",
  ],
])('an indexing configuration that asks for something else is refused by name: %j', async (configuration, message) => {
  await expect(upload({ configuration })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message });
});

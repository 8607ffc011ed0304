import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHashEmbedder, openEngine, WaymarkError } from 'waymark';
import { ReopeningEngine } from '#src/cli/actions/mcp/reopening-engine.js';
import { folderOf } from '../support/folder.js';

/** An engine that is opened again when needed, with one file. */
async function reopeningEngine(): Promise<ReopeningEngine> {
  const options = { database: path.join(folderOf(), 'waymark.db'), model: createHashEmbedder() };
  const engine = await openEngine(options);
  await engine.indexFile('a.md', 'A yak.');
  await engine.close();
  const reopening = new ReopeningEngine(options);
  onTestFinished(() => reopening.close());
  return reopening;
}

/** Work that finds its engine outdated the first time, as after a re-embedding. */
function outdatedOnce(): () => Promise<string> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return 'done';
    isFirst = false;
    throw new WaymarkError('MODEL_MISMATCH', 'The files were re-embedded.');
  };
}

test('a call whose engine another call has replaced is repeated with the new one', async () => {
  const reopening = await reopeningEngine();
  let replaced: Promise<string> | undefined;
  const hits = await reopening.use(async (engine) => {
    replaced ??= reopening.use(outdatedOnce());
    await replaced;
    return engine.search('yak');
  });
  expect(await replaced).toBe('done');
  expect(hits.map(({ file }) => file.key)).toEqual(['a.md']);
});

test('a call after the end opens nothing', async () => {
  const reopening = await reopeningEngine();
  await reopening.close();
  await expect(reopening.use(async (engine) => engine.search('yak'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

test('a call that runs while everything is closed ends, and opens nothing', async () => {
  const reopening = await reopeningEngine();
  const search = reopening.use(async (engine) => {
    await reopening.close();
    return engine.search('yak');
  });
  await expect(search).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

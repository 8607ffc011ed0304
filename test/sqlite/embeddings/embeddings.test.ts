import { expect, test } from 'vitest';
import { SqliteStorage } from '#src/sqlite/sqlite-storage.js';
import { embedAll, fileToPut, putNow } from '../../support/file-to-put.js';
import { storeOf } from '../../support/store.js';

test('a bot that is removed with its files leaves only the embeddings that another bot shares', async () => {
  const { connection, file, store } = await storeOf();
  await putNow(store, fileToPut('a.md', ['10', '20']));
  const other = await storeOf({ file, bot: 'other' });
  await putNow(other.store, fileToPut('b.md', ['20', '30']));
  await embedAll(store);
  const { bots } = new SqliteStorage(connection, { warn: () => {} }).accounts;
  await bots.remove((await bots.find('default'))?.id ?? '');
  await other.store.compact();
  expect(connection.prepare(`SELECT count(*) FROM embeddings`).pluck().get()).toBe(2);
  expect(await other.store.counts()).toMatchObject({ passages: 2, embedded: 2 });
});

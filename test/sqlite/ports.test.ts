import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStorage } from '#src/sqlite/open-storage.js';
import { describeAccounts } from '../storage/accounts-contract.js';
import { describeBotRecords } from '../storage/bot-records-contract.js';
import { describeContents } from '../storage/contents-contract.js';
import { describeCopies } from '../storage/copies-contract.js';
import { describeFileRecords } from '../storage/file-records-contract.js';
import { folderOf } from '../support/folder.js';

async function open() {
  const storage = openSqliteStorage(path.join(folderOf(), 'waymark.db'), { create: true, warn: () => {} });
  onTestFinished(() => storage.close());
  return storage;
}

describeAccounts('SQLite', open);
describeFileRecords('SQLite', open);
describeContents('SQLite', open);
describeBotRecords('SQLite', open);
describeCopies('SQLite', open);

test('nothing is added to a workspace that was deleted since it was found', async () => {
  const { bots, tokens, workspaces } = (await open()).accounts;
  const { id: workspace } = await workspaces.create('acme');
  await workspaces.remove(workspace);
  const missing = {
    code: 'WORKSPACE_MISSING',
    message: `The workspace with the id ${workspace} was deleted: choose another workspace.`,
  };
  await expect(bots.create({ name: 'support', tags: {}, workspace })).rejects.toMatchObject(missing);
  const token = { id: 'a', name: 'ci', role: 'search', bots: [], hash: new Uint8Array(32) } as const;
  await expect(tokens.create({ ...token, workspaceId: workspace })).rejects.toMatchObject(missing);
});

import path from 'node:path';
import { onTestFinished } from 'vitest';
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

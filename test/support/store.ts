import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Connection } from '#src/sqlite/connection/connection.js';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { SqliteStorage } from '#src/sqlite/sqlite-storage.js';
import type { PassageStore } from '#src/storage/passage-store.js';
import type { IndexKind } from '#src/vectors/vector-index.js';
import { folderOf } from './folder.js';

export interface OpenStore {
  readonly file: string;
  readonly connection: Connection;
  readonly store: PassageStore;
  /** What the vector index warned of. */
  readonly warnings: string[];
}

/** The store of a bot in a new database, or in the one given; closed when the test has finished. */
export async function storeOf({
  file = path.join(folderOf(), 'waymark.db'),
  bot: name = 'default',
  dimensions = 2,
  kind = 'exact',
}: {
  file?: string;
  bot?: string;
  dimensions?: number;
  kind?: IndexKind;
} = {}): Promise<OpenStore> {
  const warnings: string[] = [];
  const connection = openConnection(file, { create: true });
  const storage = new SqliteStorage(connection, { index: kind, warn: (message) => warnings.push(message) });
  const { bots } = storage.accounts;
  const bot = (await bots.find(name)) ?? (await bots.create({ name, tags: {}, workspace: undefined }));
  const card = { id: 'test', fingerprint: `test ${dimensions}`, dimensions };
  await storage.models.assign(bot.id, { card, location: undefined });
  const store = await storage.passages(bot.id, card);
  onTestFinished(async () => {
    await store.close();
    storage.close();
  });
  return { file, connection, store, warnings };
}

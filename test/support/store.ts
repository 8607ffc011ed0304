import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Bots } from '#src/sqlite/accounts/bots.js';
import { type Database, openDatabase } from '#src/sqlite/connection/database.js';
import { Embeddings } from '#src/sqlite/embeddings/embeddings.js';
import { Snapshots } from '#src/sqlite/embeddings/snapshots.js';
import { BotIndex } from '#src/sqlite/embeddings/vector-cache.js';
import { Files } from '#src/sqlite/files/files.js';
import { Passages } from '#src/sqlite/passages/passages.js';
import { Postings } from '#src/sqlite/postings/postings.js';
import { EmbeddedStore } from '#src/sqlite/sqlite-passage-store.js';
import type { IndexKind } from '#src/vectors/vector-index.js';
import { folderOf } from './folder.js';

export interface StoreParts {
  readonly file: string;
  readonly database: Database;
  readonly index: BotIndex;
  readonly store: EmbeddedStore;
  /** What the vector index had to say. */
  readonly warnings: string[];
}

/** The store of a bot in a new database, or the one given; closed when the test has finished. */
export function storeOf({
  file = path.join(folderOf(), 'waymark.db'),
  bot: name = 'default',
  dimensions = 2,
  kind = 'exact',
}: {
  file?: string;
  bot?: string;
  dimensions?: number;
  kind?: IndexKind;
} = {}): StoreParts {
  const database = openDatabase(file, { create: true });
  const bots = new Bots(database);
  const bot = bots.find(name) ?? bots.create(name);
  const fingerprint = `test ${dimensions}`;
  const card = { id: 'test', fingerprint, dimensions };
  const model = { number: bots.setModel(bot.number, { card, location: undefined }), fingerprint };
  const embeddings = new Embeddings(database, { bot: bot.number, model });
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const snapshots = new Snapshots(database, bot.number);
  const index = new BotIndex({ embeddings, snapshots, dimensions, kind, warn });
  const postings = new Postings(database, bot.number);
  const passages = new Passages(database, { embeddings, postings, bot: bot.number });
  const files = new Files(database, bot.number);
  const store = new EmbeddedStore({ database, files, passages, embeddings, postings, index });
  onTestFinished(async () => {
    await store.close();
    database.close();
  });
  return { file, database, index, store, warnings };
}

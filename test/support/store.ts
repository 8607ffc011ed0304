import path from 'node:path';
import { onTestFinished } from 'vitest';
import { BotIndex } from '#src/bot-index.js';
import { EmbeddedStore } from '#src/embedded-store.js';
import { Bots } from '#src/store/bots.js';
import { type Database, openDatabase } from '#src/store/database.js';
import { Embeddings } from '#src/store/embeddings.js';
import { Files } from '#src/store/files.js';
import { Passages } from '#src/store/passages.js';
import { Postings } from '#src/store/postings.js';
import { Snapshots } from '#src/store/snapshots.js';
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

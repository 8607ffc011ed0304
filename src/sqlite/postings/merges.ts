import type { Connection } from '../connection/connection.js';

/** FTS5's settings for automatic merges of its segments, with their defaults. */
const MERGES = { automerge: 4, crisismerge: 16, deletemerge: 10 };

/** The settings without automatic merges below 500 segments; FTS5 fails with 2,000. */
const NO_MERGES: typeof MERGES = { automerge: 0, crisismerge: 500, deletemerge: 0 };

/** Pages merged in one statement: a few milliseconds. */
const PAGES = 64;

/**
 * Runs work that puts and removes postings, and merges what it has written afterwards, in portions. FTS5 would merge
 * while it writes, and a single row may then take 60 ms.
 */
export function* withMerges(
  connection: Connection,
  { table, work }: { readonly table: string; readonly work: () => Generator<void> },
): Generator<void> {
  set(connection, { table, settings: NO_MERGES });
  yield* work();
  yield;
  connection.exec(`INSERT INTO ${table} (${table}) VALUES ('flush')`);
  set(connection, { table, settings: MERGES });
  const merge = connection.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${PAGES})`);
  const changes = connection.prepare<[], number>(`SELECT total_changes()`).pluck();
  for (let before = -1, after = 0; after - before > 1; ) {
    yield;
    before = changes.get() ?? 0;
    merge.run();
    after = changes.get() ?? 0;
  }
}

function set(connection: Connection, { table, settings }: { table: string; settings: typeof MERGES }): void {
  // Not as parameters: the driver binds every number as a float, which FTS5 refuses.
  for (const [name, value] of Object.entries(settings)) {
    connection.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`);
  }
}

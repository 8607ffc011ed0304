import Sqlite from 'better-sqlite3';
import { createPostings } from './posting-table.js';

/** Terms that are remembered at most. */
const MOST = 50_000;

/** Told by FTS5 itself, in a database in memory: another stemmer's would not always be the one that stands in the postings. */
let ask: ((term: string) => string) | undefined;

const known = new Map<string, string>();

/** A term as the postings have it. */
export function stemOf(term: string): string {
  const remembered = known.get(term);
  if (remembered !== undefined) return remembered;
  ask ??= asker();
  const stem = ask(term);
  if (known.size >= MOST) known.clear();
  known.set(term, stem);
  return stem;
}

function asker(): (term: string) => string {
  const database = new Sqlite(':memory:');
  database.exec(`${createPostings('asked')}; CREATE VIRTUAL TABLE found USING fts5vocab(asked, row)`);
  const put = database.prepare<[string]>(`INSERT INTO asked (rowid, text) VALUES (1, ?)`);
  const found = database.prepare<[], string>(`SELECT term FROM found`).pluck();
  const empty = database.prepare(`INSERT INTO asked (asked) VALUES ('delete-all')`);
  return (term) => {
    put.run(term);
    const stem = found.get();
    empty.run();
    return stem ?? term;
  };
}

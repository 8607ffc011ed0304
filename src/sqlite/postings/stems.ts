import { openSqlite } from '../connection/sqlite.js';
import { createPostings } from './posting-table.js';

/** Maximum number of cached stems. */
const CACHE_LIMIT = 50_000;

const stems = new Map<string, string>();

let stemmer: ((term: string) => string) | undefined;

/** The stem of a term, as the posting table stores it. */
export function stemOf(term: string): string {
  const known = stems.get(term);
  if (known !== undefined) return known;
  stemmer ??= createStemmer();
  const stem = stemmer(term);
  if (stems.size >= CACHE_LIMIT) stems.clear();
  stems.set(term, stem);
  return stem;
}

/** Uses FTS5 itself, over a table in memory: another Porter stemmer would differ for some words. */
function createStemmer(): (term: string) => string {
  const database = openSqlite(':memory:');
  database.exec(`${createPostings('terms')}; CREATE VIRTUAL TABLE stems USING fts5vocab(terms, row)`);
  const put = database.prepare<[string]>(`INSERT INTO terms (rowid, text) VALUES (1, ?)`);
  const read = database.prepare<[], string>(`SELECT term FROM stems`).pluck();
  const clear = database.prepare(`INSERT INTO terms (terms) VALUES ('delete-all')`);
  return (term) => {
    put.run(term);
    const stem = read.get();
    clear.run();
    return stem ?? term;
  };
}

import { crc32 } from '../sqlite/connection/crc32.js';
import type { Database } from '../sqlite/connection/database.js';
import { createPostings } from '../sqlite/postings/posting-table.js';
import { varints } from '../sqlite/postings/varints.js';
import type { CutAgain } from './cut-again.js';
import { counted, type Finding, REPAIR } from './finding.js';
import type { BotPatient } from './patient.js';

/** What a comparison found. */
export interface ComparedPostings {
  readonly wrong: number;
  readonly unreadable: string | undefined;
  readonly drift: string | undefined;
}

/** What FTS5 holds of each passage: how many terms, and a sum over them that hangs on no order. */
type Held = Map<number, string>;

/** Compares the postings of a bot with those of its texts, file by file. */
export class PostingsComparison {
  readonly #database: Database;
  readonly #held: Held;
  readonly #table: string;
  /** Why the postings cannot even be read; undefined where they can. */
  readonly unreadable: string | undefined;
  /** What FTS5 counts beyond what there is; undefined where it counts right. */
  readonly drift: string | undefined;
  #different = 0;

  constructor({ database, bot }: BotPatient) {
    this.#database = database;
    this.#table = `postings_${bot.number}`;
    database.exec(`DROP TABLE IF EXISTS temp.wanted; ${createPostings('temp.wanted')}`);
    try {
      // A bot that was never opened has no postings yet; passages without them are told of one by one.
      const exists = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(this.#table);
      this.#held = exists ? heldIn(database, { schema: 'main', table: this.#table }) : new Map();
      const totals = exists ? wrongTotals(database, this.#table) : undefined;
      this.unreadable = totals?.tooSmall ? totals.message : undefined;
      this.drift = totals?.message;
    } catch (error) {
      this.#held = new Map();
      this.unreadable = error instanceof Error ? error.message : String(error);
    }
  }

  /** Takes a file whose passages are stored as it is cut. */
  add({ number, file }: CutAgain): void {
    const numbers = this.#database
      .prepare<[number], number>(`SELECT number FROM passages WHERE file = ? ORDER BY position`)
      .pluck()
      .all(number);
    const put = this.#database.prepare(`INSERT INTO temp.wanted (rowid, breadcrumb, text) VALUES (?, ?, ?)`);
    const fill = this.#database.transaction(() => {
      this.#database.exec(`INSERT INTO temp.wanted (wanted) VALUES ('delete-all')`);
      for (const [i, { postings }] of file.passages.entries()) put.run(numbers[i], postings.breadcrumb, postings.text);
    });
    fill();
    const wanted = heldIn(this.#database, { schema: 'temp', table: 'wanted' });
    for (const [passage, terms] of wanted) {
      if (this.#held.get(passage) !== terms) this.#different++;
      this.#held.delete(passage);
    }
  }

  /** Leaves out the passages of a file that is not to be compared. */
  leaveOut(number: number): void {
    const numbers = this.#database.prepare<[number], number>(`SELECT number FROM passages WHERE file = ?`).pluck();
    for (const passage of numbers.all(number)) this.#held.delete(passage);
  }

  /** Passages whose postings are wrong or missing, and postings of no passage. */
  get different(): number {
    return this.#different + this.#held.size;
  }

  close(): void {
    this.#database.exec(`DROP TABLE IF EXISTS temp.wanted`);
  }
}

/** `compared`: undefined where the files could not be cut again. */
export function checkPostings(patient: BotPatient, compared: ComparedPostings | undefined): Finding {
  const about = { check: 'postings', bot: patient.bot.name } as const;
  if (compared?.unreadable !== undefined) {
    return {
      ...about,
      state: 'damaged',
      message: `The postings are damaged (${compared.unreadable}).`,
      remedy: REPAIR,
    };
  }
  if (!compared) {
    const message = 'The postings were not compared with the texts, which takes the model of their passages.';
    return { ...about, state: 'warning', message, remedy: 'see what is said of the model' };
  }
  if (compared.wrong > 0) {
    const message = `The postings of ${counted(compared.wrong, 'passage')} are not those of their texts.`;
    return { ...about, state: 'damaged', message, remedy: REPAIR };
  }
  if (compared.drift !== undefined) {
    const message = `${compared.drift}: it still weighs terms by passages that were replaced since, so lexical scores are a little off.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  return { ...about, state: 'ok', message: 'The postings are those of the texts.' };
}

/** Throws what SQLite throws for postings that are damaged. */
function heldIn(database: Database, { schema, table }: { schema: 'main' | 'temp'; table: string }): Held {
  database.exec(`CREATE VIRTUAL TABLE temp.held USING fts5vocab(${schema}, ${table}, instance)`);
  try {
    const sizes = database
      .prepare<[], [id: number, size: string]>(`SELECT id, hex(sz) FROM ${schema}.${table}_docsize`)
      .raw();
    const sums = new Map<number, number>();
    const rows = database
      .prepare<[], [term: string, passage: number, column: string, offset: number]>(
        `SELECT term, doc, col, "offset" FROM temp.held`,
      )
      .raw();
    for (const [term, passage, column, offset] of rows.iterate() as Iterable<[string, number, string, number]>) {
      sums.set(passage, (sums.get(passage) ?? 0) + crc32(`${term}\0${column}\0${offset}`));
    }
    const held: Held = new Map();
    for (const [passage, size] of sizes.iterate() as Iterable<[number, string]>) {
      held.set(passage, `${size} ${sums.get(passage) ?? 0}`);
      sums.delete(passage);
    }
    for (const [passage, sum] of sums) held.set(passage, `no size ${sum}`);
    return held;
  } finally {
    database.exec(`DROP TABLE temp.held`);
  }
}

/**
 * What is wrong with the numbers by which FTS5 weighs terms: how many rows there are, and how many terms. It does not
 * take back what a removed row added, so they may have grown too large, but never too small.
 */
function wrongTotals(database: Database, table: string): { tooSmall: boolean; message: string } | undefined {
  const block = database.prepare<[], Buffer>(`SELECT block FROM ${table}_data WHERE id = 1`).pluck().get();
  const told = block ? varints(block) : [];
  const found = [0, 0, 0];
  for (const size of database.prepare<[], Buffer>(`SELECT sz FROM ${table}_docsize`).pluck().iterate()) {
    const sizes = [1, ...varints(size as Buffer)];
    for (const [i, count] of sizes.entries()) found[i] = (found[i] ?? 0) + count;
  }
  if (found.every((count, i) => count === (told[i] ?? 0))) return undefined;
  const tooSmall = found.some((count, i) => (told[i] ?? 0) < count);
  return { tooSmall, message: `FTS5 counts ${sizeOf(told)}, and there are ${sizeOf(found)}` };
}

function sizeOf([passages = 0, ...terms]: readonly number[]): string {
  return `${counted(passages, 'passage')} of ${terms.reduce((sum, count) => sum + count, 0)} terms`;
}

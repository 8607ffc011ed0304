import type { Connection } from '../sqlite/connection/connection.js';
import { crc32 } from '../sqlite/connection/crc32.js';
import { createPostings } from '../sqlite/postings/posting-table.js';
import type { Totals } from '../sqlite/postings/posting-totals.js';
import { decodeVarints } from '../sqlite/postings/varints.js';
import type { BotContext } from './context.js';
import type { CutAgain } from './cut-again.js';
import { counted, type Finding, REPAIR, sqliteMessage } from './finding.js';

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
  readonly #connection: Connection;
  readonly #held: Held;
  readonly #table: string;
  /** Why the postings cannot even be read; undefined where they can. */
  readonly unreadable: string | undefined;
  /** How the recorded totals differ from the postings; undefined if they agree. */
  readonly drift: string | undefined;
  #different = 0;

  constructor(context: BotContext) {
    const { connection, bot } = context;
    this.#connection = connection;
    this.#table = `postings_${bot.number}`;
    connection.exec(`DROP TABLE IF EXISTS temp.wanted; ${createPostings('temp.wanted')}`);
    try {
      // A bot that was never opened has no postings yet; passages without them are told of one by one.
      const exists = connection.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ?`).get(this.#table);
      this.#held = exists ? heldIn(connection, { schema: 'main', table: this.#table }) : new Map();
      this.drift = exists ? wrongTotals(context, this.#table) : undefined;
    } catch (error) {
      this.#held = new Map();
      this.unreadable = sqliteMessage(error);
    }
  }

  /** Takes a file whose passages are stored as it is cut. */
  add({ number, file }: CutAgain): void {
    const numbers = this.#connection
      .prepare<[number], number>(`SELECT number FROM passages WHERE file = ? ORDER BY position`)
      .pluck()
      .all(number);
    const put = this.#connection.prepare(`INSERT INTO temp.wanted (rowid, breadcrumb, text) VALUES (?, ?, ?)`);
    this.#connection.read(() => {
      this.#connection.exec(`INSERT INTO temp.wanted (wanted) VALUES ('delete-all')`);
      for (const [i, { postings }] of file.passages.entries()) put.run(numbers[i], postings.breadcrumb, postings.text);
    });
    const wanted = heldIn(this.#connection, { schema: 'temp', table: 'wanted' });
    for (const [passage, terms] of wanted) {
      if (this.#held.get(passage) !== terms) this.#different++;
      this.#held.delete(passage);
    }
  }

  /** Leaves out the passages of a file that is not to be compared. */
  leaveOut(number: number): void {
    const numbers = this.#connection.prepare<[number], number>(`SELECT number FROM passages WHERE file = ?`).pluck();
    for (const passage of numbers.all(number)) this.#held.delete(passage);
  }

  /** Passages whose postings are wrong or missing, and postings of no passage. */
  get different(): number {
    return this.#different + this.#held.size;
  }

  close(): void {
    this.#connection.exec(`DROP TABLE IF EXISTS temp.wanted`);
  }
}

/** `compared`: undefined where the files could not be cut again. */
export function checkPostings(context: BotContext, compared: ComparedPostings | undefined): Finding {
  const about = { check: 'postings', bot: context.bot.name } as const;
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
    const message = `${compared.drift}: terms are weighed wrongly, so lexical scores are slightly off.`;
    return { ...about, state: 'warning', message, remedy: REPAIR };
  }
  return { ...about, state: 'ok', message: 'The postings are those of the texts.' };
}

/** Throws what SQLite throws for postings that are damaged. */
function heldIn(connection: Connection, { schema, table }: { schema: 'main' | 'temp'; table: string }): Held {
  connection.exec(`CREATE VIRTUAL TABLE temp.held USING fts5vocab(${schema}, ${table}, instance)`);
  try {
    const sizes = connection
      .prepare<[], [id: number, size: string]>(`SELECT id, hex(sz) FROM ${schema}.${table}_docsize`)
      .raw();
    const sums = new Map<number, number>();
    const rows = connection
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
    connection.exec(`DROP TABLE temp.held`);
  }
}

/** The difference between the totals that terms are weighed by and those of the postings. */
function wrongTotals({ connection, bot }: BotContext, table: string): string | undefined {
  const recorded = connection
    .prepare<[number], Totals>(`SELECT passages, terms FROM posting_totals WHERE bot = ?`)
    .get(bot.number);
  // A database of an earlier version: counted when the bot is opened.
  if (!recorded) return undefined;
  let [passages, terms] = [0, 0];
  for (const size of connection.prepare<[], Buffer>(`SELECT sz FROM ${table}_docsize`).pluck().iterate()) {
    passages++;
    for (const count of decodeVarints(size)) terms += count;
  }
  if (recorded.passages === passages && recorded.terms === terms) return undefined;
  return `The recorded totals are ${described(recorded)}, the postings have ${described({ passages, terms })}`;
}

function described({ passages, terms }: Totals): string {
  return `${counted(passages, 'passage')} of ${counted(terms, 'term')}`;
}

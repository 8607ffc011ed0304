import type { Totals } from '../../text/bm25.js';
import type { Database, Statement } from '../connection/database.js';
import { prepared } from '../connection/prepared.js';
import { varint, varints } from './varints.js';

/** A row's or a table's number of terms: of its breadcrumbs and of its texts. */
type Sizes = readonly [breadcrumb: number, text: number];

/**
 * What FTS5 knows of a whole table: how many rows it has and how many terms their columns. BM25 rests on these, and
 * SQLite leaves them as they are when a row of a contentless table is deleted or replaced (3.53 still does), so each edit
 * would raise the weight of every term. Here they are put right: for the rows that went, in the same transaction.
 */
export class PostingTotals {
  readonly #database: Database;
  readonly #table: string;
  readonly #sizes: Statement<[number], { sz: Buffer }>;
  #gone = 0;
  #terms: Sizes = [0, 0];

  constructor(database: Database, table: string) {
    this.#database = database;
    this.#table = table;
    this.#sizes = database.prepare(`SELECT sz FROM ${table}_docsize WHERE id = ?`);
  }

  /** To be called before a row goes or is replaced. */
  leaving(row: number): void {
    const found = this.#sizes.get(row);
    if (!found) return;
    const [breadcrumb = 0, text = 0] = varints(found.sz);
    this.#gone += 1;
    this.#terms = [this.#terms[0] + breadcrumb, this.#terms[1] + text];
  }

  /** Does work that says which rows leave, and takes those from the totals; to be called in a transaction. */
  change(work: () => void): void {
    // Not after: work that failed has left what it said.
    this.#gone = 0;
    this.#terms = [0, 0];
    work();
    const [gone, [breadcrumb, text]] = [this.#gone, this.#terms];
    if (gone === 0) return;
    this.#write(([rows = 0, breadcrumbs = 0, texts = 0]) => [rows - gone, breadcrumbs - breadcrumb, texts - text]);
  }

  /** Counts anew, in a transaction, where the totals are not those of the rows: in a database of an earlier version. */
  recount(): void {
    const rows = this.#database.prepare<[], { sz: Buffer }>(`SELECT sz FROM ${this.#table}_docsize`);
    const count = this.#database.prepare<[], number>(`SELECT count(*) FROM ${this.#table}_docsize`).pluck().get() ?? 0;
    if (this.#read()[0] === count || count === 0) return;
    let [breadcrumbs, texts] = [0, 0];
    for (const { sz } of rows.iterate()) {
      const [breadcrumb = 0, text = 0] = varints(sz);
      breadcrumbs += breadcrumb;
      texts += text;
    }
    this.#write(() => [count, breadcrumbs, texts]);
  }

  /** What terms are weighed by. */
  get(): Totals {
    const [passages = 0, breadcrumbs = 0, texts = 0] = this.#read();
    return { passages, meanLength: (breadcrumbs + texts) / Math.max(1, passages) };
  }

  #read(): number[] {
    const row = prepared<[], { block: Buffer }>(
      this.#database,
      `SELECT block FROM ${this.#table}_data WHERE id = 1`,
    ).get();
    return row ? varints(row.block) : [];
  }

  #write(change: (totals: readonly number[]) => number[]): void {
    // A savepoint has FTS5 write what it holds back, and forget its own idea of the totals.
    this.#database.transaction(() => {
      const totals = Buffer.from(change(this.#read()).flatMap(varint));
      // FTS5's own tables are closed to others otherwise.
      this.#database.unsafeMode(true);
      try {
        this.#database.prepare(`UPDATE ${this.#table}_data SET block = ? WHERE id = 1`).run(totals);
      } finally {
        this.#database.unsafeMode(false);
      }
    })();
  }
}

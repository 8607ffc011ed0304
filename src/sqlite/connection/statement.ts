import type Sqlite from 'better-sqlite3';
import type { Connection } from './connection.js';

/** A compiled statement of a connection. */
export class Statement<Parameters extends unknown[], Row = unknown> {
  readonly #connection: Connection;
  readonly #statement: Sqlite.Statement<Parameters, Row>;
  readonly #writes: boolean;

  constructor(connection: Connection, statement: Sqlite.Statement<Parameters, Row>) {
    this.#connection = connection;
    this.#statement = statement;
    this.#writes = !statement.readonly;
  }

  /** From now on rows are the value of their first column. */
  pluck(): this {
    this.#statement.pluck();
    return this;
  }

  /** From now on rows are arrays. */
  raw(): this {
    this.#statement.raw();
    return this;
  }

  run(...parameters: Parameters): Sqlite.RunResult {
    try {
      if (this.#writes) this.#connection.beforeWrite();
      return this.#statement.run(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  get(...parameters: Parameters): Row | undefined {
    try {
      if (this.#writes) this.#connection.beforeWrite();
      return this.#statement.get(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  all(...parameters: Parameters): Row[] {
    try {
      if (this.#writes) this.#connection.beforeWrite();
      return this.#statement.all(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  *iterate(...parameters: Parameters): Generator<Row> {
    try {
      yield* this.#statement.iterate(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }
}

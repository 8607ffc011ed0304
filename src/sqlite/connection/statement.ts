import type Sqlite from 'better-sqlite3';

/** What a statement needs of its connection. */
interface Owner {
  /** Called before a statement writes. */
  beforeWrite(): void;
  /** The error to throw for a failure of SQLite. */
  failure(error: unknown): unknown;
}

/** How a statement returns its rows: as objects, as the values of the first column, or as arrays. */
type Shape = 'object' | 'value' | 'array';

/** A compiled statement, and the shape that it is set to return. */
interface Compiled<Parameters extends unknown[], Row> {
  readonly statement: Sqlite.Statement<Parameters, Row>;
  shape: Shape;
}

/** A statement of a connection, with the shape of its rows. */
export class Statement<Parameters extends unknown[], Row = unknown> {
  readonly #connection: Owner;
  readonly #compiled: Compiled<Parameters, Row>;
  readonly #shape: Shape;

  constructor(
    connection: Owner,
    statement: Sqlite.Statement<Parameters, Row> | Compiled<Parameters, Row>,
    shape: Shape = 'object',
  ) {
    this.#connection = connection;
    this.#compiled = 'shape' in statement ? statement : { statement, shape: 'object' };
    this.#shape = shape;
  }

  /** The same statement, whose rows are the values of their first column. */
  pluck(): Statement<Parameters, Row> {
    return new Statement(this.#connection, this.#compiled, 'value');
  }

  /** The same statement, whose rows are arrays. */
  raw(): Statement<Parameters, Row> {
    return new Statement(this.#connection, this.#compiled, 'array');
  }

  run(...parameters: Parameters): Sqlite.RunResult {
    try {
      return this.#prepared().run(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  get(...parameters: Parameters): Row | undefined {
    try {
      return this.#prepared().get(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  all(...parameters: Parameters): Row[] {
    try {
      return this.#prepared().all(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  *iterate(...parameters: Parameters): Generator<Row> {
    try {
      yield* this.#prepared().iterate(...parameters);
    } catch (error) {
      throw this.#connection.failure(error);
    }
  }

  /** SQLite's statement, set to the shape of this one: several may share it. */
  #prepared(): Sqlite.Statement<Parameters, Row> {
    const { statement, shape } = this.#compiled;
    if (shape !== this.#shape) {
      statement.raw(this.#shape === 'array').pluck(this.#shape === 'value');
      this.#compiled.shape = this.#shape;
    }
    if (!statement.readonly) this.#connection.beforeWrite();
    return statement;
  }
}

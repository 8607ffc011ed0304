import { randomUUID } from 'node:crypto';
import type { Workspace } from '../../contract/workspaces.js';
import { WaymarkError } from '../../domain/errors.js';
import type { Database } from '../connection/database.js';

const WORKSPACE = `SELECT id, name, created_at AS createdAt FROM workspaces`;

/** Who owns bots. */
export class Workspaces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Workspace[] {
    return this.#database.prepare<[], Workspace>(`${WORKSPACE} ORDER BY created_at, id`).all();
  }

  /** By id, or by name where none has that id. */
  find(idOrName: string): Workspace | undefined {
    return this.#database
      .prepare<[string, string, string], Workspace>(`${WORKSPACE} WHERE id = ? OR name = ? ORDER BY id = ? DESC`)
      .get(idOrName, idOrName, idOrName);
  }

  /** Throws `WORKSPACE_EXISTS`. */
  create(name: string): Workspace {
    const create = this.#database.transaction((): Workspace => {
      if (this.find(name)) {
        const message = `There is a workspace "${name}" already: use it, or choose another name.`;
        throw new WaymarkError('WORKSPACE_EXISTS', message);
      }
      const workspace = { id: randomUUID(), name, createdAt: new Date().toISOString() };
      this.#database
        .prepare(`INSERT INTO workspaces (id, name, created_at) VALUES (@id, @name, @createdAt)`)
        .run(workspace);
      return workspace;
    });
    return create.immediate();
  }
}

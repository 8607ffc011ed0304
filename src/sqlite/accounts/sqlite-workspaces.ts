import { randomUUID } from 'node:crypto';
import { WaymarkError } from '../../domain/errors.js';
import type { WorkspaceRecord, Workspaces } from '../../storage/accounts.js';
import type { Connection } from '../connection/connection.js';

const WORKSPACE = `SELECT id, name, created_at AS createdAt FROM workspaces`;

/** Workspaces in SQLite. */
export class SqliteWorkspaces implements Workspaces {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async list(): Promise<WorkspaceRecord[]> {
    return this.#connection.prepare<[], WorkspaceRecord>(`${WORKSPACE} ORDER BY created_at, id`).all();
  }

  async find(idOrName: string): Promise<WorkspaceRecord | undefined> {
    return this.#find(idOrName);
  }

  async create(name: string): Promise<WorkspaceRecord> {
    return this.#connection.write(() => {
      if (this.#find(name)) {
        const message = `A workspace named "${name}" already exists: use it, or choose another name.`;
        throw new WaymarkError('WORKSPACE_EXISTS', message);
      }
      const workspace = { id: randomUUID(), name, createdAt: new Date().toISOString() };
      this.#connection
        .prepare(`INSERT INTO workspaces (id, name, created_at) VALUES (@id, @name, @createdAt)`)
        .run(workspace);
      return workspace;
    });
  }

  async remove(id: string): Promise<boolean> {
    return this.#connection.write(() => {
      if (this.#connection.prepare<[string]>(`SELECT 1 FROM bots WHERE workspace = ? LIMIT 1`).get(id)) return false;
      this.#connection.prepare<[string]>(`DELETE FROM workspaces WHERE id = ?`).run(id);
      return true;
    });
  }

  #find(idOrName: string): WorkspaceRecord | undefined {
    return this.#connection
      .cached<[string, string, string], WorkspaceRecord>(`${WORKSPACE} WHERE id = ? OR name = ? ORDER BY id = ? DESC`)
      .get(idOrName, idOrName, idOrName);
  }
}

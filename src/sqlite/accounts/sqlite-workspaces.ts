import { randomUUID } from 'node:crypto';
import type { WorkspaceRecord, Workspaces } from '../../storage/accounts.js';
import { workspaceExists } from '../../storage/failures.js';
import type { Page } from '../../storage/page.js';
import type { Connection } from '../connection/connection.js';
import { type Paged, pageOf } from '../connection/page.js';

const COLUMNS = `id, name, created_at AS createdAt, updated_at AS updatedAt`;
const WORKSPACE = `SELECT ${COLUMNS} FROM workspaces`;

/** Workspaces in SQLite. */
export class SqliteWorkspaces implements Workspaces {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async list(): Promise<WorkspaceRecord[]> {
    return this.#connection.prepare<[], WorkspaceRecord>(`${WORKSPACE} ORDER BY created_at, id`).all();
  }

  async page({ id, ...page }: Parameters<Workspaces['page']>[0]): Promise<Page<WorkspaceRecord>> {
    const { items, ...rest } = pageOf<WorkspaceRecord & Paged>(
      this.#connection,
      {
        select: COLUMNS,
        from: 'workspaces WHERE id = coalesce(?, id)',
        sort: 'workspaces.created_at',
        number: 'workspaces.rowid',
        parameters: [id ?? null],
      },
      page,
    );
    return { items: items.map(({ number: _, sorted: __, ...workspace }) => workspace), ...rest };
  }

  async find(idOrName: string): Promise<WorkspaceRecord | undefined> {
    return this.#find(idOrName);
  }

  async create(name: string): Promise<WorkspaceRecord> {
    return this.#connection.write(() => {
      if (this.#find(name)) throw workspaceExists(name);
      const now = new Date().toISOString();
      const workspace = { id: randomUUID(), name, createdAt: now, updatedAt: now };
      this.#connection
        .prepare(
          `INSERT INTO workspaces (id, name, created_at, updated_at) VALUES (@id, @name, @createdAt, @updatedAt)`,
        )
        .run(workspace);
      return workspace;
    });
  }

  async rename(id: string, name: string): Promise<WorkspaceRecord | undefined> {
    return this.#connection.write(() => {
      const other = this.#find(name);
      if (other && other.id !== id) throw workspaceExists(name);
      return this.#connection
        .prepare<[string, string, string], WorkspaceRecord>(
          `UPDATE workspaces SET name = ?, updated_at = ? WHERE id = ? RETURNING ${COLUMNS}`,
        )
        .get(name, new Date().toISOString(), id);
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

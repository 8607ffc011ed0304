import { missingWorkspace } from '../../storage/failures.js';
import type { Connection } from '../connection/connection.js';

/** Throws `WORKSPACE_MISSING` if a workspace was deleted. Call it in the transaction that adds to it. */
export function assertWorkspace(connection: Connection, id: string): void {
  if (!connection.cached<[string]>(`SELECT 1 FROM workspaces WHERE id = ?`).get(id)) throw missingWorkspace(id);
}

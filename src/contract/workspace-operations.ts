import type { Abortable } from '../domain/abortable.js';
import type { RequestFor, ResponseFor } from './operations/index.js';

/**
 * The operations on workspaces, in process or over HTTP, where the token's own is the only one. `id` is a workspace's
 * id or name. All throw `INVALID_ARGUMENT`, and those on one workspace `WORKSPACE_MISSING`.
 */
export interface WorkspaceOperations {
  /** A page of workspaces, newest first. */
  listWorkspaces(request?: RequestFor<'listWorkspaces'>, options?: Abortable): Promise<ResponseFor<'listWorkspaces'>>;
  /** By id or name. Throws `WORKSPACE_MISSING`. */
  getWorkspace(request: RequestFor<'getWorkspace'>, options?: Abortable): Promise<ResponseFor<'getWorkspace'>>;
  /** Renames a workspace. Throws `WORKSPACE_MISSING`, `WORKSPACE_EXISTS`. */
  updateWorkspace(request: RequestFor<'updateWorkspace'>, options?: Abortable): Promise<ResponseFor<'updateWorkspace'>>;
}

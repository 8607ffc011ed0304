import type { WorkspaceRecord } from '../storage/accounts.js';

/** A workspace: it owns bots, and its name is unique. */
export type Workspace = WorkspaceRecord;

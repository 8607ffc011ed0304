import { validateName } from '../../index.js';
import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { print, printList } from '../output/print.js';
import { confirmsDeletion, type DeletionOptions } from './confirm.js';
import { type DatabaseOptions, withHost } from './open.js';

/** Creates a database where there is none. */
const CREATED_BY = 'workspace create <name>';

/** `waymark workspace create <name>` */
export async function createWorkspace(name: string, options: DatabaseOptions): Promise<number> {
  // Before the database is opened: an invalid name must not leave a new database behind.
  validateName(name);
  return withHost(options, { create: true, createdBy: CREATED_BY }, async (host) => {
    const workspace = await host.createWorkspace(name);
    print(workspace, { json: options.json, lines: [`Created workspace ${workspace.name} (${workspace.id}).`] });
    return SUCCESS;
  });
}

/** `waymark workspace list` */
export function listWorkspaces(options: DatabaseOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const workspaces = await host.listWorkspaces();
    const lines = workspaces.map(({ name, id }) => `${name}  ${id}`);
    const none = 'There are no workspaces: waymark workspace create <name>';
    return printList({ workspaces }, { json: options.json, lines, none });
  });
}

/** `waymark workspace rename <workspace> <name>` */
export function renameWorkspace(id: string, name: string, options: DatabaseOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const renamed = await (await host.workspace()).updateWorkspace({ id, name });
    const workspace = await host.getWorkspace(renamed.id);
    print(workspace, { json: options.json, lines: [`Renamed workspace ${workspace.id} to ${workspace.name}.`] });
    return SUCCESS;
  });
}

/** `waymark workspace delete <workspace>` */
export function deleteWorkspace(id: string, options: DatabaseOptions & DeletionOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const workspace = await host.getWorkspace(id);
    const what = `workspace ${workspace.name} (${workspace.id}), its bots, their files and its tokens`;
    if (!(await confirmsDeletion(what, options))) return NO_RESULTS;
    await host.deleteWorkspace(workspace.id);
    print(workspace, { json: options.json, lines: [`Deleted ${what}.`] });
    return SUCCESS;
  });
}

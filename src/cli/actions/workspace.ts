import { validateName } from '../../index.js';
import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { print } from '../output/print.js';
import { type DatabaseOptions, withHost } from './open.js';

/** `waymark workspace create <name>` */
export async function createWorkspace(name: string, options: DatabaseOptions): Promise<number> {
  // Before the database is opened: an invalid name must not leave a new database behind.
  validateName(name);
  return withHost(options, { create: true }, async (host) => {
    const workspace = await host.createWorkspace(name);
    print(workspace, { json: options.json, lines: [`Created workspace ${workspace.name} (${workspace.id}).`] });
    return SUCCESS;
  });
}

/** `waymark workspace list` */
export function listWorkspaces(options: DatabaseOptions): Promise<number> {
  return withHost(options, { create: false }, async (host) => {
    const workspaces = await host.listWorkspaces();
    print({ workspaces }, { json: options.json, lines: workspaces.map(({ name, id }) => `${name}  ${id}`) });
    return workspaces.length > 0 ? SUCCESS : NO_RESULTS;
  });
}

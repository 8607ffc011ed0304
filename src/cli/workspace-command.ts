import { validateName } from '../index.js';
import { NONE, RESULTS } from './exit-code.js';
import { type IndexOptions, openHostFor } from './options.js';
import { print } from './print.js';

/** `waymark workspace create <name>` */
export async function createWorkspaceCommand(name: string, options: IndexOptions): Promise<number> {
  // First: a name that is none must not leave an index behind.
  validateName(name);
  const host = await openHostFor(options, { create: true });
  try {
    const workspace = await host.createWorkspace(name);
    print(workspace, { json: options.json, lines: [`Made workspace ${workspace.name} (${workspace.id}).`] });
    return RESULTS;
  } finally {
    await host.close();
  }
}

/** `waymark workspace list` */
export async function listWorkspacesCommand(options: IndexOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const workspaces = await host.listWorkspaces();
    print({ workspaces }, { json: options.json, lines: workspaces.map(({ name, id }) => `${name}  ${id}`) });
    return workspaces.length > 0 ? RESULTS : NONE;
  } finally {
    await host.close();
  }
}

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Host } from '../../test/cluster/start.js';

/** The state of a running cluster. */
export interface Status {
  readonly hosts: readonly Host[];
  /** Resident bytes of each node; 0 for one that has ended. */
  readonly memory: readonly number[];
  /** Contains the data and the logs. */
  readonly folder: string;
}

/** A request to the keeper of a cluster. */
export type Request = 'status' | 'stop';

/** One folder for each cluster of this user, named by its id. */
const ALL = path.join(tmpdir(), `waymark-clusters-${userInfo().uid}`);

/** Makes the folder of a new cluster, for this user only. */
export function newFolder(): string {
  const folder = path.join(ALL, randomBytes(3).toString('hex'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Ids of the clusters that were started and not stopped. */
export function ids(): string[] {
  return existsSync(ALL) ? readdirSync(ALL).sort() : [];
}

/** The folder of a cluster; undefined if no cluster has the id. */
export function folderOf(id: string): string | undefined {
  return ids().includes(id) ? path.join(ALL, id) : undefined;
}

/** Where the keeper of a cluster listens. */
export function socketOf(folder: string): string {
  return path.join(folder, 'control');
}

/** Asks the keeper of a cluster. Undefined if the keeper has ended: its nodes have then ended, too. */
export async function ask(folder: string, request: Request): Promise<Status | undefined> {
  try {
    const socket = connect(socketOf(folder));
    socket.end(request);
    return JSON.parse(await text(socket)) as Status;
  } catch {
    return undefined;
  }
}

/** Removes the folder of a cluster whose keeper has ended; a running keeper removes it itself. */
export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../index.js';
import { DATABASE } from './options.js';

/** What a caller needs to ask the service. */
export interface Access {
  readonly workspaceId: string;
  readonly botId: string;
  readonly token: string;
  /** Where the token is kept. */
  readonly file: string;
}

/**
 * A workspace, a bot and a token to try the service with, made where there are none. The text of a token is stored
 * nowhere else, so this one is kept in a file beside the database that only its owner reads: the next start has it again.
 */
export async function devAccess(host: Host, database: string | undefined): Promise<Access> {
  const { id: workspaceId } = (await host.listWorkspaces())[0] ?? (await host.createWorkspace('default'));
  const bots = await host.workspace(workspaceId);
  const { bots: oldest } = await bots.listBots({ pageSize: 1, sortDirection: 'asc' });
  const { id: botId } = oldest[0] ?? (await bots.createBot('default'));
  const file = path.join(path.dirname(database ?? nearestDatabase(process.cwd())), 'dev-token');
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if ((await host.authenticate(kept))?.workspaceId === workspaceId) return { workspaceId, botId, token: kept, file };
  const { token } = await host.createToken({ workspaceId, name: 'dev', role: 'admin' });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return { workspaceId, botId, token, file };
}

/** A line for a terminal that asks the service. */
export function curlLine(url: string, { token, botId }: Access): string {
  return `curl -sS --get ${url}/v1/files/search --data-urlencode 'query=how do I begin?' -H 'Authorization: Bearer ${token}' -H 'x-bot-id: ${botId}'`;
}

function nearestDatabase(start: string): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    const file = path.join(folder, DATABASE);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return path.join(start, DATABASE);
  }
}

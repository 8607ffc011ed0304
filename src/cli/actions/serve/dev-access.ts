import type { Host } from '../../../index.js';
import { localFile, type StoragePlace } from '../../storage-place.js';
import { readSecret, writeSecret } from './secret-file.js';

/** What a client needs to call the service. */
export interface Access {
  readonly workspaceId: string;
  readonly botId: string;
  readonly token: string;
  /** Path of the file that holds the token. */
  readonly file: string;
}

/**
 * A workspace, a bot and an admin token to try the service with; creates what is missing. The database holds only the
 * hash of a token, so this one is kept in a file beside the database, readable by its owner only, for the next start.
 */
export async function devAccess(host: Host, place: StoragePlace): Promise<Access> {
  const { id: workspaceId } = (await host.listWorkspaces())[0] ?? (await host.createWorkspace('default'));
  const bots = await host.workspace(workspaceId);
  const { bots: oldest } = await bots.listBots({ pageSize: 1, sortDirection: 'asc' });
  const { id: botId } = oldest[0] ?? (await bots.createBot({ name: 'default' })).bot;
  const file = localFile(place, 'dev-token');
  const saved = readSecret(file)?.trim() ?? '';
  if ((await host.authenticate(saved))?.workspaceId === workspaceId) return { workspaceId, botId, token: saved, file };
  const { id, token } = await host.createToken({ workspaceId, name: 'dev', role: 'admin' });
  try {
    writeSecret(file, `${token}\n`);
  } catch (error) {
    // Nobody has seen it.
    await host.revokeToken(id);
    throw error;
  }
  return { workspaceId, botId, token, file };
}

/** A shell command that searches through the service. */
export function curlCommand(url: string, { token, botId }: Access): string {
  return [
    `curl -sS --get ${url}/v1/files/search`,
    `--data-urlencode 'query=how do I begin?'`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'x-bot-id: ${botId}'`,
  ].join(' ');
}

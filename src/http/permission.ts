import type { FastifyRequest } from 'fastify';
import { type Host, type Role, type Token, WaymarkError } from '../index.js';
import { required } from './caller.js';
import { HttpError } from './http-error.js';
import type { Operation, Permission } from './operation.js';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['admin', 'files', 'search'],
  member: ['files', 'search'],
  search: ['search'],
};

/**
 * The bot, or for administration the workspace, that a request is for; refuses it where its token may not. The headers
 * say it, and where both are sent they have to agree.
 */
export async function authorized(
  request: FastifyRequest,
  { permission, host }: { permission: Operation['permission']; host: Host },
): Promise<string> {
  const caller = required(request);
  const workspace = header(request, 'x-workspace-id');
  const bot = header(request, 'x-bot-id');
  if (permission === 'admin' && workspace === undefined) {
    throw new HttpError('Unauthorized', 'Send the id of your workspace, as x-workspace-id.');
  }
  if (workspace !== undefined && workspace !== caller.workspaceId) {
    throw new HttpError('Unauthorized', 'x-workspace-id does not name the workspace that the token is for.');
  }
  if (!PERMISSIONS[caller.role].includes(permission)) {
    throw new HttpError(
      'Forbidden',
      `A token with the role ${caller.role} may not do this: use one with another role.`,
    );
  }
  if (bot !== undefined) await checkBot(bot, { caller, host });
  if (permission === 'admin') return caller.workspaceId;
  if (bot === undefined) throw new HttpError('InvalidQuery', 'Send the id of a bot, as x-bot-id; it is missing.');
  return bot;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function checkBot(bot: string, { caller, host }: { caller: Token; host: Host }): Promise<void> {
  // Whether there is such a bot elsewhere is not told.
  if (caller.bots.length > 0 && !caller.bots.includes(bot)) {
    throw new HttpError('Forbidden', 'The token is not for the bot that x-bot-id names: use one that is.');
  }
  // By id only: a name may belong to bots of several workspaces.
  if (UUID.test(bot) && (await host.workspaceOf(bot)) === caller.workspaceId) return;
  throw new WaymarkError('BOT_MISSING', `There is no bot "${bot.slice(0, 80)}": listBots tells those that there are.`);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

import type { FastifyRequest } from 'fastify';
import type { HttpOperation, Permission } from '../../contract/operation.js';
import { botMissing } from '../../contract/operations/bots.js';
import type { Host, Role, Token } from '../../index.js';
import { HttpError } from '../errors/http-error.js';
import { callerOf } from './caller.js';

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  admin: ['admin', 'files', 'search'],
  member: ['files', 'search'],
  search: ['search'],
};

/**
 * The bot that a request is for or, for administration, the workspace. Throws if its token does not permit it. The
 * headers name both; if both are sent, they must agree.
 */
export async function authorize(
  request: FastifyRequest,
  {
    operation: { permission, withoutWorkspaceId },
    host,
  }: { operation: Pick<HttpOperation, 'permission' | 'withoutWorkspaceId'>; host: Host },
): Promise<string> {
  const caller = callerOf(request);
  const workspace = header(request, 'x-workspace-id');
  const bot = header(request, 'x-bot-id');
  if (permission === 'admin' && workspace === undefined && !withoutWorkspaceId) {
    throw new HttpError('Unauthorized', 'The header x-workspace-id is missing: send the id of your workspace.');
  }
  if (workspace !== undefined && workspace !== caller.workspaceId) {
    const named = JSON.stringify(workspace);
    const message = `The header x-workspace-id is ${named}, not the id of the token's workspace: send that id.`;
    throw new HttpError('Unauthorized', message);
  }
  if (!PERMISSIONS[caller.role].includes(permission)) {
    throw new HttpError('Forbidden', `The token's role, ${caller.role}, does not permit this: use another token.`);
  }
  for (const name of ['x-bot-id', 'x-destination-bot-id']) await checkBot(request, { name, caller, host });
  if (permission === 'admin') return caller.workspaceId;
  if (bot === undefined) {
    throw new HttpError('InvalidQuery', 'The header x-bot-id is missing: send the id of a bot.');
  }
  return bot;
}

async function checkBot(
  request: FastifyRequest,
  { name, caller, host }: { name: string; caller: Token; host: Host },
): Promise<void> {
  const bot = header(request, name);
  if (bot === undefined) return;
  // Does not reveal whether the bot exists elsewhere.
  if (caller.bots.length > 0 && !caller.bots.includes(bot)) {
    throw new HttpError(
      'Forbidden',
      `The token permits no bot with the id in ${name}: use another id, or another token.`,
    );
  }
  if ((await host.workspaceOf(bot)) !== caller.workspaceId) throw botMissing(bot);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

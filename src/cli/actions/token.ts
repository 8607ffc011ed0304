import { counted, type Host, type Role, type Token, WaymarkError } from '../../index.js';
import { FAILURE, SUCCESS } from '../exit-codes.js';
import { print, printList, printMessage, printOnce } from '../output/print.js';
import { minuteOf } from '../output/time.js';
import { type DatabaseOptions, withHost } from './open.js';

/** Creates a database where there is none. */
const CREATED_BY = 'workspace create <name>';

const NONE = 'There are no tokens: waymark token create <name> --workspace <name> --role <role>';

export interface TokenCommandOptions extends DatabaseOptions {
  readonly workspace: string;
  readonly role: Role;
  readonly bot?: readonly string[];
  readonly expires?: string;
}

/** `waymark token create <name>` */
export async function createToken(name: string, options: TokenCommandOptions): Promise<number> {
  const { bot, expires, workspace: workspaceId, role, json, ...database } = options;
  if (expires !== undefined) checkExpiry(expires);
  return withHost(database, { create: false, createdBy: CREATED_BY }, async (host) => {
    const restrictions = { ...(bot && { bots: bot }), ...(expires !== undefined && { expiresAt: expires }) };
    const created = await host.createToken({ workspaceId, name, role, ...restrictions });
    const failure = await printOnce(created, { json, lines: [created.token] });
    if (failure !== undefined) {
      printMessage(`The token could not be written (${failure}), ${await withdrawn(created, host)}`);
      return FAILURE;
    }
    if (!json) printMessage('Save this token now: only its hash is stored, so it cannot be shown again.');
    return SUCCESS;
  });
}

/** `waymark token list` */
export function listTokens(options: DatabaseOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const { tokens, areWhole } = await readableTokens(host);
    const shown = { json: options.json, lines: tokens.map(describe) };
    if (areWhole) return printList({ tokens }, { ...shown, none: NONE });
    print({ tokens }, shown);
    return FAILURE;
  });
}

/** The tokens that can be read, and whether all can. Says of each other one what to do. */
export async function readableTokens(
  host: Host,
): Promise<{ readonly tokens: readonly Token[]; readonly areWhole: boolean }> {
  let areWhole = true;
  const tokens = await host.listTokens(undefined, {
    onDamaged({ message }) {
      printMessage(message);
      areWhole = false;
    },
  });
  return { tokens, areWhole };
}

/** `waymark token revoke <id>` */
export function revokeToken(id: string, options: DatabaseOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const token = await host.revokeToken(id);
    print(token, { json: options.json, lines: [`Revoked token ${token.name} (${token.id}).`] });
    return SUCCESS;
  });
}

/** Revokes a token that nobody has seen. Returns what became of it, and what to do next. */
async function withdrawn({ id }: Token, host: Host): Promise<string> {
  try {
    await host.revokeToken(id);
    return 'so it was revoked: free some space, or write it elsewhere, and create another one.';
  } catch (error) {
    return `nor revoked (${(error as Error).message}): revoke it later with: waymark token revoke ${id}`;
  }
}

/** Names the option. The host checks the rest, such as the offset. Throws `INVALID_ARGUMENT`. */
function checkExpiry(expires: string): void {
  if (expires.includes('T') && Date.parse(expires) > Date.now()) return;
  const message = `--expires must be an ISO 8601 time to come, such as 2030-01-31T12:00:00Z; it is "${expires}".`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

function describe(token: Token): string {
  const { name, id, role, bots } = token;
  const scope = bots.length === 0 ? 'all bots' : counted(bots.length, 'bot');
  return `${name}  ${id}  ${role}  ${scope}  ${validity(token)}`;
}

function validity({ expiresAt, revokedAt }: Token): string {
  if (revokedAt) return `revoked ${minuteOf(revokedAt)}`;
  if (!expiresAt) return 'never expires';
  return `${Date.parse(expiresAt) < Date.now() ? 'expired' : 'expires'} ${minuteOf(expiresAt)}`;
}

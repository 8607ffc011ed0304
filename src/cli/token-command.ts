import type { Role, Token } from '../index.js';
import { NONE, RESULTS } from './exit-code.js';
import { type IndexOptions, openHostFor } from './options.js';
import { print } from './print.js';
import { minuteOf } from './status-command.js';

export interface TokenOptions extends Omit<IndexOptions, 'bot'> {
  readonly workspace: string;
  readonly role: Role;
  readonly bot?: readonly string[];
  readonly expires?: string;
}

/** `waymark token create <name>` */
export async function createTokenCommand(name: string, options: TokenOptions): Promise<number> {
  const { bot, expires, workspace: workspaceId, role, json, ...database } = options;
  const host = await openHostFor(database, { create: false });
  try {
    const more = { ...(bot && { bots: bot }), ...(expires !== undefined && { expiresAt: expires }) };
    const created = await host.createToken({ workspaceId, name, role, ...more });
    print(created, { json, lines: [created.token] });
    if (!json) process.stderr.write('Keep it: it is stored hashed and cannot be shown again.\n');
    return RESULTS;
  } finally {
    await host.close();
  }
}

/** `waymark token list` */
export async function listTokensCommand(options: IndexOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const tokens = await host.listTokens();
    print({ tokens }, { json: options.json, lines: tokens.map(lineOf) });
    return tokens.length > 0 ? RESULTS : NONE;
  } finally {
    await host.close();
  }
}

/** `waymark token revoke <id>` */
export async function revokeTokenCommand(id: string, options: IndexOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const token = await host.revokeToken(id);
    print(token, { json: options.json, lines: [`Revoked token ${token.name} (${token.id}).`] });
    return RESULTS;
  } finally {
    await host.close();
  }
}

function lineOf({ name, id, role, bots, expiresAt, revokedAt }: Token): string {
  const scope = bots.length === 0 ? 'all bots' : bots.length === 1 ? '1 bot' : `${bots.length} bots`;
  const until = revokedAt ? `revoked ${minuteOf(revokedAt)}` : expiresAt ? `until ${minuteOf(expiresAt)}` : 'no end';
  return `${name}  ${id}  ${role}  ${scope}  ${until}`;
}

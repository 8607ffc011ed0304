import { type Bot, type BotAdministration, validateName } from '../index.js';
import { NONE, RESULTS } from './exit-code.js';
import { type IndexOptions, openHostFor } from './options.js';
import { print } from './print.js';
import { minuteOf } from './status-command.js';

export interface BotOptions extends IndexOptions {
  readonly workspace?: string;
}

/** `waymark bot create <name>` */
export async function createBotCommand(name: string, options: BotOptions): Promise<number> {
  // First: a name that is none must not leave an index behind, nor a workspace that no new index has.
  validateName(name);
  const host = await openHostFor(options, { create: options.workspace === undefined });
  try {
    const bot = await (await host.workspace(options.workspace)).createBot(name);
    print(bot, { json: options.json, lines: [`Made bot ${bot.name} (${bot.id}).`] });
    return RESULTS;
  } finally {
    await host.close();
  }
}

/** `waymark bot list` */
export async function listBotsCommand(options: BotOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const bots = await everyBot(await host.workspace(options.workspace));
    const lines = bots.map(
      ({ id, name, deployedAt }) => `${name}  ${id}  ${deployedAt ? minuteOf(deployedAt) : 'not indexed yet'}`,
    );
    print({ bots }, { json: options.json, lines });
    return bots.length > 0 ? RESULTS : NONE;
  } finally {
    await host.close();
  }
}

/** `waymark bot rename <bot> <name>` */
export async function renameBotCommand(id: string, name: string, options: BotOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const bot = await (await host.workspace(options.workspace)).renameBot(id, name);
    print(bot, { json: options.json, lines: [`Bot ${bot.id} is now named ${bot.name}.`] });
    return RESULTS;
  } finally {
    await host.close();
  }
}

/** `waymark bot delete <bot>` */
export async function deleteBotCommand(id: string, options: BotOptions): Promise<number> {
  const host = await openHostFor(options, { create: false });
  try {
    const { bot } = await (await host.workspace(options.workspace)).getBot({ id });
    await host.deleteBot(bot.id);
    print(bot, { json: options.json, lines: [`Deleted bot ${bot.name} (${bot.id}) with its files.`] });
    return RESULTS;
  } finally {
    await host.close();
  }
}

async function everyBot(administration: BotAdministration): Promise<Bot[]> {
  const all: Bot[] = [];
  for (let nextToken: string | undefined; ; ) {
    const { bots, meta } = await administration.listBots({ nextToken, pageSize: 100, sortDirection: 'asc' });
    all.push(...bots);
    nextToken = meta.nextToken;
    if (nextToken === undefined) return all;
  }
}

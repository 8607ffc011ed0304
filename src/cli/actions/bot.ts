import { type Administration, type Bot, validateName } from '../../index.js';
import { NO_RESULTS, SUCCESS } from '../exit-codes.js';
import { print, printList } from '../output/print.js';
import { minuteOf } from '../output/time.js';
import { confirmsDeletion, type DeletionOptions } from './confirm.js';
import { type DatabaseOptions, withHost } from './open.js';

/** Creates a database where there is none. */
const CREATED_BY = 'bot create <name>';

export interface BotCommandOptions extends DatabaseOptions {
  readonly workspace?: string;
}

/** `waymark bot create <name>` */
export async function createBot(name: string, options: BotCommandOptions): Promise<number> {
  // Before the database is opened: an invalid name must not leave a new database behind.
  validateName(name);
  // A workspace that is named must exist, and a new database has none.
  const createdBy = options.workspace === undefined ? CREATED_BY : `workspace create ${options.workspace}`;
  return withHost(options, { create: options.workspace === undefined, createdBy }, async (host) => {
    const { bot } = await (await host.workspace(options.workspace)).createBot({ name });
    print(bot, { json: options.json, lines: [`Created bot ${bot.name} (${bot.id}).`] });
    return SUCCESS;
  });
}

/** `waymark bot list` */
export function listBots(options: BotCommandOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const { workspace: named } = options;
    const workspaces = named === undefined ? await host.listWorkspaces() : [await host.getWorkspace(named)];
    const bots: (Bot & { readonly workspace: string })[] = [];
    for (const { id, name: workspace } of workspaces) {
      for (const bot of await allBots(await host.workspace(id))) bots.push({ ...bot, workspace });
    }
    const lines = bots.map(({ id, name, workspace, deployedAt }) => {
      return `${name}  ${id}  ${workspace}  ${deployedAt ? minuteOf(deployedAt) : 'not indexed yet'}`;
    });
    return printList({ bots }, { json: options.json, lines, none: 'There are no bots: waymark bot create <name>' });
  });
}

/** `waymark bot rename <bot> <name>` */
export function renameBot(id: string, name: string, options: BotCommandOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const { bot } = await (await host.workspace(options.workspace)).updateBot({ id, name });
    print(bot, { json: options.json, lines: [`Renamed bot ${bot.id} to ${bot.name}.`] });
    return SUCCESS;
  });
}

/** `waymark bot delete <bot>` */
export function deleteBot(id: string, options: BotCommandOptions & DeletionOptions): Promise<number> {
  return withHost(options, { create: false, createdBy: CREATED_BY }, async (host) => {
    const bots = await host.workspace(options.workspace);
    const { bot } = await bots.getBot({ id });
    const what = `bot ${bot.name} (${bot.id}) and its files`;
    if (!(await confirmsDeletion(what, options))) return NO_RESULTS;
    await bots.deleteBot({ id: bot.id });
    print(bot, { json: options.json, lines: [`Deleted ${what}.`] });
    return SUCCESS;
  });
}

/** All bots of a workspace. */
export async function allBots(administration: Administration): Promise<Bot[]> {
  const all: Bot[] = [];
  for (let nextToken: string | undefined; ; ) {
    const { bots, meta } = await administration.listBots({ nextToken, pageSize: 100, sortDirection: 'asc' });
    all.push(...bots);
    nextToken = meta.nextToken;
    if (nextToken === undefined) return all;
  }
}

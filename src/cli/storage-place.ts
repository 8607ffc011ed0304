import { createHash } from 'node:crypto';
import path from 'node:path';
import type { EngineOptions } from '../index.js';
import { DATABASE, nearestDatabase } from './database-path.js';
import { shellWord } from './output/shell-word.js';

/** The variable for the API key of a cluster, which has no option: other users of a machine see those. */
const KEY_VARIABLE = 'WAYMARK_CLUSTER_API_KEY';

/** Where a command finds what is stored. */
export interface StoragePlace {
  /** Path of a database file. */
  readonly database?: string | undefined;
  /** Addresses of the nodes of a cluster, separated by commas. */
  readonly cluster?: string | undefined;
}

/** The bot that a command works on: `default` if none is named. */
export interface BotPlace extends StoragePlace {
  readonly bot?: string | undefined;
}

/** The options of an engine or a host for a place; the nearest database if it names none. */
export function storageOf({ database, cluster }: StoragePlace): Pick<EngineOptions, 'database' | 'cluster'> {
  if (cluster === undefined) return { database: database ?? nearestDatabase(process.cwd()) };
  const hosts = cluster.split(',').map((host) => host.trim());
  // Where a database would be: folders are recorded as they are in one.
  return { cluster: { hosts, apiKey: process.env[KEY_VARIABLE] || undefined, base: localFolder() } };
}

/** A file of this machine that belongs to a place. Other places that share its folder have files of their own. */
export function localFile({ database, cluster }: StoragePlace, name: string): string {
  if (cluster === undefined) {
    const own = path.resolve(database ?? nearestDatabase(process.cwd()));
    const isUsual = path.basename(own) === path.basename(DATABASE);
    return isUsual ? path.join(path.dirname(own), name) : `${own}-${name}`;
  }
  const id = createHash('sha256').update(cluster).digest('hex').slice(0, 8);
  return path.join(localFolder(), `cluster-${id}-${name}`);
}

function localFolder(): string {
  return path.dirname(path.resolve(nearestDatabase(process.cwd())));
}

/** The option that names a place again, for people to copy; empty if it is the nearest database. */
export function placeArgument({ database, cluster }: StoragePlace): string {
  if (cluster !== undefined) return ` --cluster ${shellWord(cluster)}`;
  return database === undefined ? '' : ` --database ${shellWord(database)}`;
}

/** A command for people to copy that works on the same bot, such as `waymark index --bot support`. */
export function commandFor({ bot, ...place }: BotPlace, command: string): string {
  const named = bot === undefined ? '' : ` --bot ${shellWord(bot)}`;
  return `waymark ${command}${named}${placeArgument(place)}`;
}

import { createHash } from 'node:crypto';
import type { Cluster } from '../connection/cluster.js';
import { ACCOUNTS, BOT_COLLECTIONS, PASSAGES } from './collections.js';

/** The reference of the records in `ACCOUNTS` that go with a bot. */
export function ofBot(botId: string): string {
  return `bot:${botId}`;
}

/** The tenant with the passages of a bot that one model has embedded. */
export function passagesTenant(botId: string, fingerprint: string): string {
  return `${botId}-${createHash('sha256').update(fingerprint).digest('hex').slice(0, 16)}`;
}

/** Creates a tenant of a collection; one that exists stays as it is. */
export async function createTenant(cluster: Cluster, collection: string, name: string): Promise<void> {
  await cluster.request((client) => client.collections.use(collection).tenants.create([{ name }]));
}

/** Removes a tenant of a collection with everything in it, if it exists. */
export async function removeTenant(cluster: Cluster, collection: string, name: string): Promise<void> {
  await cluster.request((client) => client.collections.use(collection).tenants.remove([name]));
}

/** Creates the tenants that every bot has. Those of its passages follow with its models. */
export async function createBotTenants(cluster: Cluster, botId: string): Promise<void> {
  await Promise.all(BOT_COLLECTIONS.map((collection) => createTenant(cluster, collection, botId)));
}

/** Removes everything of a bot but the bot itself, its name and its model. */
export async function removeBotData(cluster: Cluster, botId: string): Promise<void> {
  await Promise.all(BOT_COLLECTIONS.map((collection) => removeTenant(cluster, collection, botId)));
  // Also of models that it had, and of one that it was to have.
  const all = await cluster.request((client) => client.collections.use(PASSAGES).tenants.get());
  const itsOwn = Object.keys(all).filter((name) => name.startsWith(`${botId}-`));
  await Promise.all(itsOwn.map((name) => removeTenant(cluster, PASSAGES, name)));
  await cluster.deleteWhere({ collection: ACCOUNTS }, ({ filter }) =>
    filter.byProperty('refs').containsAny([ofBot(botId)]),
  );
}

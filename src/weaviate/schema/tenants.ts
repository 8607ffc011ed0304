import { createHash } from 'node:crypto';
import type { Cluster } from '../connection/cluster.js';
import { OF_BOTS, PASSAGES } from './collections.js';

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
  await Promise.all(OF_BOTS.map((collection) => createTenant(cluster, collection, botId)));
}

/** Removes everything of a bot but its record. */
export async function removeBotTenants(cluster: Cluster, botId: string): Promise<void> {
  await Promise.all(OF_BOTS.map((collection) => removeTenant(cluster, collection, botId)));
  // Also of models that it had, and of one that it was to have.
  const all = await cluster.request((client) => client.collections.use(PASSAGES).tenants.get());
  const ofBot = Object.keys(all).filter((name) => name.startsWith(`${botId}-`));
  await Promise.all(ofBot.map((name) => removeTenant(cluster, PASSAGES, name)));
}

import { openEmbedder } from '../embed/open.js';
import { validateOpening } from '../engine/engine-options.js';
import { openStorage } from '../engine/open-storage.js';
import type { HostOptions } from './bot-engines.js';
import { ContentAddresses } from './content-addresses.js';
import { Host } from './host.js';

/**
 * Opens a database for all its workspaces and bots, as a service does. Throws what `openEngine` throws. `model` applies
 * to bots without files; bots with files keep theirs.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const storage = await openStorage(validateOpening(options));
  let host: Host | undefined;
  try {
    const addresses = new ContentAddresses(await storage.signingKey());
    host = new Host({ storage, options, addresses, opened: await openEmbedder(options.model, options) });
    await host.resume();
    return host;
  } catch (error) {
    // What stopped the opening is what the caller must know.
    await host?.close().catch(() => {});
    storage.close();
    throw error;
  }
}

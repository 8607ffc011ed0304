import { openEmbedder } from '../embed/open-embedder.js';
import { cuttingOf } from '../engine/cutting-options.js';
import { validateOpening } from '../engine/engine-options.js';
import { isNewDatabase, openStorage } from '../engine/open-storage.js';
import type { Storage } from '../storage/storage.js';
import type { HostOptions } from './bot-engines.js';
import { ContentAddresses } from './content-addresses.js';
import { Host } from './host.js';

/**
 * Opens a database for all its workspaces and bots, as a service does. Throws what `openEngine` throws. `model` applies
 * to bots without files; bots with files keep theirs.
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const valid = validateOpening(options);
  const opened = await openEmbedder(valid.model, valid);
  let storage: Storage | undefined;
  let host: Host | undefined;
  try {
    // Report wrong options before a database is created.
    if (isNewDatabase(valid)) cuttingOf(valid, opened.embedder.card);
    storage = await openStorage(valid);
    const addresses = new ContentAddresses(await storage.signingKey());
    host = new Host({ storage, options: valid, addresses, opened });
    await host.resume();
    return host;
  } catch (error) {
    // The caller needs the first error, not one of closing.
    await (host?.close() ?? opened.embedder.close()).catch(() => {});
    storage?.close();
    throw error;
  }
}

import { rmSync } from 'node:fs';
import path from 'node:path';
import { localFolder, type StoragePlace } from '../../storage-place.js';
import { readSecret, writeSecret } from '../serve/secret-file.js';

/** Milliseconds in which a page that runs on this machine answers. */
const TIMEOUT = 2000;

/** The address of the search page of a database or cluster while it is served, in a file beside the database. */
export class RunningPage {
  readonly #file: string;

  constructor(place: StoragePlace) {
    this.#file = path.join(localFolder(place), place.cluster === undefined ? 'ui-address' : 'cluster-ui-address');
  }

  /** The address, if a page answers there. */
  async find(): Promise<string | undefined> {
    const address = readSecret(this.#file)?.trim() ?? '';
    if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(address)) return undefined;
    try {
      const { ok, headers } = await fetch(`${address}/page/search.js`, { signal: AbortSignal.timeout(TIMEOUT) });
      return ok && headers.get('content-type')?.startsWith('text/javascript') ? address : undefined;
    } catch {
      // It was killed, and could not remove the file.
      return undefined;
    }
  }

  record(address: string): void {
    writeSecret(this.#file, `${address}\n`);
  }

  /** Removes the record of an address, unless it is that of another process by now. */
  forget(address: string): void {
    if (readSecret(this.#file)?.trim() === address) rmSync(this.#file, { force: true });
  }
}

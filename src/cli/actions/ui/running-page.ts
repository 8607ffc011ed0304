import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { localFile, type StoragePlace } from '../../storage-place.js';
import { readSecret, writeSecret } from '../serve/secret-file.js';

/** Milliseconds in which a page that runs on this machine answers. */
const TIMEOUT = 2000;

/** The header with the id of a page: another one may have its port by now. */
export const PAGE_ID = 'x-waymark-page';

/** The search page of a database or cluster while it is served: its address and id are beside the database. */
export class RunningPage {
  /** That of the page which this process may serve. */
  readonly id = randomUUID();
  readonly #file: string;

  constructor(place: StoragePlace) {
    this.#file = localFile(place, 'ui-address');
  }

  /** The address, if the page that is recorded answers there. */
  async find(): Promise<string | undefined> {
    const [, address, id] = /^(http:\/\/127\.0\.0\.1:\d+) ([\da-f-]{36})$/.exec(this.#recorded()) ?? [];
    if (address === undefined) return undefined;
    try {
      const { headers } = await fetch(`${address}/page/search.js`, { signal: AbortSignal.timeout(TIMEOUT) });
      return headers.get(PAGE_ID) === id ? address : undefined;
    } catch {
      // It was killed, and could not remove the file.
      return undefined;
    }
  }

  /** Does nothing in a folder that cannot be written to: the next page there is one more. */
  record(address: string): void {
    try {
      writeSecret(this.#file, `${address} ${this.id}\n`);
    } catch (error) {
      const { code = '' } = (error as Error).cause as NodeJS.ErrnoException;
      if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    }
  }

  /** Removes the record of this page, unless it is that of another process by now. */
  forget(): void {
    if (this.#recorded().endsWith(this.id)) rmSync(this.#file, { force: true });
  }

  #recorded(): string {
    return readSecret(this.#file)?.trim() ?? '';
  }
}

import { type IndexKind, WaymarkError } from '../../../index.js';
import type { StoragePlace } from '../../storage-place.js';

export interface ServeCommandOptions extends StoragePlace {
  readonly model?: string;
  readonly passageTokens?: number;
  readonly index?: IndexKind;
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly corsOrigin?: readonly string[];
  readonly dev?: true;
  readonly watch?: true;
  readonly page: boolean;
  readonly logQueries?: true;
  /** Megabytes. */
  readonly uploadLimit: number;
  /** Requests per minute and token. */
  readonly rateLimit: number;
  /** Seconds. */
  readonly grace: number;
}

/** Throws `INVALID_ARGUMENT` before anything is opened. */
export function checkServeOptions({
  host,
  port,
  publicUrl,
  corsOrigin = [],
  uploadLimit,
  rateLimit,
  grace,
}: Pick<
  ServeCommandOptions,
  'host' | 'port' | 'publicUrl' | 'corsOrigin' | 'uploadLimit' | 'rateLimit' | 'grace'
>): void {
  const fail = (message: string) => new WaymarkError('INVALID_ARGUMENT', message);
  // Node would listen on every address of the machine.
  if (host === '') throw fail('--host must be an address such as 127.0.0.1; it is "".');
  checkPort(port);
  if (!(uploadLimit > 0 && uploadLimit <= 256)) {
    throw fail(`--upload-limit must be above 0 and at most 256 megabytes; it is ${JSON.stringify(uploadLimit)}.`);
  }
  if (!Number.isInteger(rateLimit) || rateLimit < 1) {
    throw fail(`--rate-limit must be a positive integer; it is ${JSON.stringify(rateLimit)}.`);
  }
  if (!(grace >= 0 && grace <= 3600)) {
    throw fail(`--grace must be a number of seconds from 0 to 3600; it is ${JSON.stringify(grace)}.`);
  }
  if (publicUrl !== undefined && !(/^https?:\/\/[^?#\s]+$/.test(publicUrl) && URL.canParse(publicUrl))) {
    throw fail(`--public-url must be a URL such as https://search.example.com; it is "${publicUrl}".`);
  }
  // A browser sends an origin exactly so: in lower case, without a path, a slash at the end or the usual port.
  const wrong = corsOrigin.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined) {
    throw fail(`--cors-origin must be an origin such as https://docs.example.com, without a path; it is "${wrong}".`);
  }
}

/** Throws `INVALID_ARGUMENT`. */
export function checkPort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  const message = `--port must be an integer from 0 to 65535; it is ${JSON.stringify(port)}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

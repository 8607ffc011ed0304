import { createHmac, timingSafeEqual } from 'node:crypto';
import { contentPath } from '../contract/byte-routes.js';
import type { FileRecord } from '../storage/file-records.js';

/** The shortest time for which a signed address is valid, in milliseconds. */
const LIFETIME = 60 * 60_000;

/** Addresses that are made within these milliseconds are the same, so that a browser can use its cache. */
const PERIOD = 15 * 60_000;

/** The query of a signed address. */
export interface Signature {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** Addresses by which the content of a file is read without a token. */
export class ContentAddresses {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** The path of a file's content: permanent if it is public, else valid for 60 to 75 minutes. */
  pathOf({ id, accessPolicies }: Pick<FileRecord, 'id' | 'accessPolicies'>): string {
    const path = contentPath(id);
    if (accessPolicies.includes('public_content')) return path;
    const expires = String((Math.ceil(Date.now() / PERIOD) * PERIOD + LIFETIME) / 1000);
    return `${path}?${new URLSearchParams({ expires, signature: this.#sign(id, expires) })}`;
  }

  /** Whether a caller may read the content of a file: it is public, or the address is signed and has not expired. */
  permits({ id, accessPolicies }: Pick<FileRecord, 'id' | 'accessPolicies'>, signed: Signature | undefined): boolean {
    if (accessPolicies.includes('public_content')) return true;
    if (!signed) return false;
    const expected = Buffer.from(this.#sign(id, signed.expires));
    const given = Buffer.from(signed.signature);
    const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
    return isSigned && Number(signed.expires) * 1000 > Date.now();
  }

  #sign(id: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${id}\n${expires}`).digest('base64url');
  }
}

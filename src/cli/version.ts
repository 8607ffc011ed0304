import { readFileSync } from 'node:fs';

/** The version of this package, read from its package.json: a file of dist is as deep as its source. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

import { compileGlobs } from './glob.js';

/** Characters that make a path a glob. */
const WILDCARD = /[*?[{]/;

/** Whether a path is also read as a glob. */
export function isGlob(path: string): boolean {
  return WILDCARD.test(path);
}

/**
 * Escapes a key for use as the beginning of a glob, also inside braces. To match exactly one key, put `./` in front of
 * the result. Do not escape a key that is no glob: it is compared as it is, with its backslashes.
 */
export function literalGlob(key: string): string {
  return key.replace(/[\\*?[\]{},]/g, '\\$&');
}

/** The filter of the last paths. A search needs it twice and the next one often again; compiled globs cache states. */
let last: { readonly name: string; readonly passes: (key: string) => boolean } | undefined;

/**
 * Whether a file's key matches one of some paths. A path is the key of a file, or a folder of keys: then it matches
 * every file below. `./` in front and `/` at the end make no difference; `.` is the folder of all files. With `*`, `?`,
 * `[` or `{` a path is also a glob (see `compileGlobs`) that a whole key must match or, if it has no slash, the name of
 * a file in any folder. A glob that ends in a slash matches every file below the folders that it matches. An empty list
 * is no condition.
 */
export function pathFilter(paths: readonly string[]): (key: string) => boolean {
  const name = JSON.stringify(paths);
  if (last?.name !== name) last = { name, passes: compile(paths) };
  return last.passes;
}

function compile(paths: readonly string[]): (key: string) => boolean {
  if (paths.length === 0) return () => true;
  const names = new Set<string>();
  const globs: string[] = [];
  for (const path of paths) {
    const name = pathName(path);
    if (name === '') return () => true;
    names.add(path).add(name);
    if (!isGlob(path)) continue;
    const glob = path.includes('/') ? name : `**/${name}`;
    globs.push(path.endsWith('/') ? `${glob}/**` : glob);
  }
  const matchesGlob = compileGlobs(globs);
  return (key) => isBelow(key, names) || matchesGlob(key);
}

/** The key or folder that a path names, without `./` in front and `/` at the end; empty for the folder of all files. */
export function pathName(path: string): string {
  const name = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  return name === '.' ? '' : name;
}

/** Whether a key, or a folder that it is in, is one of some names. */
function isBelow(key: string, names: ReadonlySet<string>): boolean {
  for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
    if (names.has(key.slice(0, end))) return true;
  }
  return false;
}

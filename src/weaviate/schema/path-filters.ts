import { isGlob, pathFilter, pathName } from '../../domain/filters/path-filter.js';

/** Keys of files and folders that an exact filter compares, or the test that every key must be put to. */
export type PathCondition =
  | { readonly kind: 'all' }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'test'; readonly passes: (key: string) => boolean };

/** The condition of some paths, see `pathFilter`. Only globs need the keys of all files. */
export function pathCondition(paths: readonly string[]): PathCondition {
  const names = paths.map(pathName);
  if (paths.length === 0 || names.includes('')) return { kind: 'all' };
  if (paths.some(isGlob)) return { kind: 'test', passes: pathFilter(paths) };
  return { kind: 'names', names: [...new Set([...paths, ...names])] };
}

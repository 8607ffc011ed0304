/** The folders that a file is in, each with a slash at its end, outermost first: `a/` and `a/b/` for `a/b/c.md`. */
export function foldersAbove(key: string): string[] {
  const folders: string[] = [];
  for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
    folders.push(key.slice(0, slash + 1));
  }
  return folders;
}

/** Those of some files that are in folders whose paths are given, without a slash at their end. */
export function filesInside<T extends { readonly key: string }>(paths: readonly string[], files: readonly T[]): T[] {
  const folders = new Set(paths.map((path) => `${path}/`));
  return files.filter(({ key }) => foldersAbove(key).some((folder) => folders.has(folder)));
}

/** The folder that each key is counted to: the first below those that all keys share, as `docs/guides/`. */
export function foldersOf(keys: readonly string[]): string[] {
  const folders = keys.map((key) => key.split('/').slice(0, -1));
  const shared = sharedBy(folders);
  return folders.map((folder) => {
    const steps = folder.slice(0, shared + 1);
    return steps.length === 0 ? './' : `${steps.join('/')}/`;
  });
}

/** How many steps all paths begin with. */
function sharedBy([first = [], ...others]: readonly (readonly string[])[]): number {
  const differs = first.findIndex((step, i) => others.some((other) => other[i] !== step));
  return differs < 0 ? first.length : differs;
}

import path from 'node:path';

/** A place relative to a folder, as keys are written: empty for the folder itself, undefined if it is not in it. */
export function pathWithin(place: string, folder: string): string | undefined {
  const relative = path.relative(folder, place);
  const steps = relative.split(path.sep);
  return steps[0] === '..' || path.isAbsolute(relative) ? undefined : steps.join('/');
}

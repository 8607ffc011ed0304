import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { nameSchema } from '../../contract/names.js';
import { shown } from '../../contract/validate.js';
import { WaymarkError } from '../../domain/errors.js';
import type { KnownFolder } from './known-folder.js';

/** The name that a folder has on disk. Throws `INVALID_ARGUMENT` if it is not valid as a folder's name here. */
export function nameOf(root: string): string {
  const name = path.basename(root);
  if (nameSchema.safeParse(name).success) return name;
  throw new WaymarkError('INVALID_ARGUMENT', `The folder ${root} needs a name: pass one of ${nameSchema.description}.`);
}

/** A known folder by its name or absolute path. Throws `FOLDER_MISSING`. */
export function folderNamed(
  { name, place }: { readonly name: string; readonly place: string },
  folders: readonly KnownFolder[],
): KnownFolder {
  const places = [place, withoutLinks(place)];
  const found = folders.find((one) => one.name === name) ?? folders.find((one) => places.includes(one.path));
  if (found) return found;
  const message = `No indexed folder has the name or path ${shown(name)}: list the folders with: waymark list`;
  throw new WaymarkError('FOLDER_MISSING', message);
}

/** The path of a folder without symbolic links; the same path if there is no folder. */
export function withoutLinks(place: string): string {
  return existsSync(place) ? realpathSync.native(place) : place;
}

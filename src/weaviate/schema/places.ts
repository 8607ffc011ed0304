import { quoted } from './quoted.js';

/** The entry of a file, by its key. */
export function filePlace(key: string): string {
  return `file ${quoted(key)}`;
}

/** The entry of everything in a folder. */
function folderPlace(folder: string): string {
  return `folder ${quoted(folder)}`;
}

/** The entries of a file: itself, and each folder that it is in. */
export function placesOf(key: string): string[] {
  const parts = key.split('/');
  const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
  return [filePlace(key), ...folders.map(folderPlace)];
}

/** The entries of what a path may name: a file, or a folder. */
export function placesNamed(path: string): string[] {
  return [filePlace(path), folderPlace(path)];
}

import type { File } from '../index.js';

/** A file with the addresses that its caller can reach. */
export function fileAt(base: string, file: File): File {
  return { ...file, url: `${base}${file.url}` };
}

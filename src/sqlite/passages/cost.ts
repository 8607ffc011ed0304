import type { FileToPut } from '../../storage/passage-store.js';

/** Milliseconds above which a write is long. */
export const LONG = 10;

/** Approximate milliseconds for removing `replaced` passages and storing those of `file` with its text. */
export function costOf({
  replaced,
  file,
}: {
  readonly replaced: number;
  readonly file?: Pick<FileToPut, 'passages' | 'text'> | undefined;
}): number {
  return 0.02 * replaced + (file ? 0.08 * file.passages.length + 0.00025 * file.text.length : 0);
}

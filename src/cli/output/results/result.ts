import type { FoundPassage } from '../../../index.js';
import { fromHere } from '../from-here.js';
import { showLines } from '../lines.js';

/** A passage that a search found, with the place of its file. */
export interface Result extends FoundPassage {
  /** The absolute path of the file; null if it is gone, or was given as a text. */
  readonly path: string | null;
  /** Whether the file has changed on disk, or is gone, since it was indexed. */
  readonly stale: boolean;
}

/** The path to the file from the working folder, so that an editor can open it; the key of one without a path. */
export function shownPath({
  path: place,
  file,
}: Pick<Result, 'path'> & { readonly file: { readonly key: string } }): string {
  return place === null ? file.key : fromHere(place);
}

/** Path and lines, as `waymark get` takes them: `docs/keys.md:5-6`. */
export function placeOf(result: Result): string {
  return `${shownPath(result)}:${showLines(result.meta)}`;
}

/** The headings above a result. A consolidated one has its headings in its content. */
export function headingsOf({ meta: { type, breadcrumb = [] } }: FoundPassage): string {
  return type === 'consolidated' ? '' : breadcrumb.join(' > ');
}

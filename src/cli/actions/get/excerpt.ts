import { type FileText, type SearchEngine, WaymarkError } from '../../../index.js';
import { pathOf } from '../search/find.js';
import { indexedKey } from '../search/keys-of-paths.js';
import { type Lines, linesIn, placesOf } from './lines.js';

/** Lines of an indexed file. */
export interface Excerpt {
  readonly key: string;
  /** The absolute path of the file; null if it is gone, or was given as a text. */
  readonly path: string | null;
  /** The first line, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** How many lines the file has. */
  readonly lines: number;
  /** The lines, with their line breaks. */
  readonly text: string;
}

interface ExcerptOptions {
  readonly engine: SearchEngine;
  /** Passages before and after those of the lines, 0 to 10; undefined for the lines alone. */
  readonly contextDepth?: number | undefined;
}

/**
 * The lines that a place names, as `docs/keys.md:5-6`; without lines, the whole file. Throws `FILE_MISSING`,
 * `INVALID_ARGUMENT`.
 */
export async function excerptOf(place: string, { engine, contextDepth }: ExcerptOptions): Promise<Excerpt> {
  checkDepth(contextDepth);
  const places = placesOf(place);
  for (const { path, lines } of places) {
    const known = await keyOf(path, engine);
    const file = known === undefined ? undefined : await engine.readFile(known);
    if (!file) continue;
    const { key, text } = file;
    const all = linesIn(text);
    const asked = checked(lines, { path, count: all.length });
    const { from, to } = await widened(asked, { engine, file, contextDepth });
    return {
      ...{ key, path: await pathOf(key, engine), startLine: from, endLine: to, lines: all.length },
      text: all.slice(from - 1, to).join(''),
    };
  }
  const path = places.at(-1)?.path || place;
  const message = `File ${JSON.stringify(path)} is not indexed. Pass a path as waymark search prints it, or a key.`;
  throw new WaymarkError('FILE_MISSING', message);
}

/** The key of an indexed file; undefined if there is none, also for a path that no file can have. */
async function keyOf(path: string, engine: SearchEngine): Promise<string | undefined> {
  try {
    return await indexedKey(engine, path);
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}

function checkDepth(depth: number | undefined): void {
  if (depth === undefined || (Number.isInteger(depth) && depth >= 0 && depth <= 10)) return;
  const message = `contextDepth must be an integer from 0 to 10; it is ${JSON.stringify(depth)}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** Lines that the file has. */
function checked(
  { from, to }: Lines,
  { path, count }: { readonly path: string; readonly count: number },
): { readonly from: number; readonly to: number } {
  const last = Math.min(to ?? count, count);
  const isWhole = from === 1 && to === undefined;
  if (isWhole || (from >= 1 && from <= last)) return { from, to: last };
  const asked = to === from ? `line ${from}` : `lines ${from}-${to ?? ''}`;
  const remedy = count === 0 ? 'it is empty' : `pass lines from 1 to ${count}, as ${path}:1-${count}`;
  const message = `${path} has no ${asked}: ${remedy}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** The lines with the passages around those that they are part of. */
async function widened(
  { from, to }: { readonly from: number; readonly to: number },
  { engine, file, contextDepth }: ExcerptOptions & { readonly file: FileText },
): Promise<{ readonly from: number; readonly to: number }> {
  if (contextDepth === undefined) return { from, to };
  const passages = await engine.passagesOf(file.id, { from: 0, to: Number.MAX_SAFE_INTEGER });
  const isIn = ({ startLine, endLine }: { startLine: number; endLine: number }) => startLine <= to && endLine >= from;
  const first = passages.findIndex(isIn);
  if (first < 0) return { from, to };
  const shown = passages.slice(Math.max(0, first - contextDepth), passages.findLastIndex(isIn) + contextDepth + 1);
  return {
    from: Math.min(from, ...shown.map(({ startLine }) => startLine)),
    to: Math.max(to, ...shown.map(({ endLine }) => endLine)),
  };
}

import { isGlob, literalGlob, type SearchFilesRequest, tagFilterOf } from '../../index.js';
import { HttpError } from '../errors/http-error.js';

/** What an address of the search page asks for. */
export interface PageRequest {
  /** Empty before the first search. */
  readonly query: string;
  /** Id or name of a bot; empty for the first one. */
  readonly bot: string;
  /** The folder that keys begin with, which may be the name of an added folder; empty for all. */
  readonly folder: string;
  /** A file, folder or glob, inside of the folder if there is one; empty for all. */
  readonly path: string;
  /** Conditions such as `audience=admin` and `product!=legacy`. */
  readonly tags: readonly string[];
  /** Whether a file is one result. */
  readonly consolidate: boolean;
}

/** Reads the parameters of the search page; those that are empty count as missing. */
export function pageRequestOf(parameters: URLSearchParams): PageRequest {
  const first = (name: string) => parameters.get(name) ?? '';
  return {
    query: first('query'),
    bot: first('bot'),
    folder: first('folder'),
    path: first('path').trim(),
    tags: parameters
      .getAll('tag')
      .map((tag) => tag.trim())
      .filter(Boolean),
    consolidate: first('consolidate') === 'true',
  };
}

/** A path of the page with the parameters of a request and others, without empty ones. */
export function addressOf(
  path: string,
  { tags, consolidate, ...texts }: PageRequest,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...texts, ...more })) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  for (const tag of tags) parameters.append('tag', tag);
  if (consolidate) parameters.set('consolidate', 'true');
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The id that the passage of a file has among results: the page of the file leads back to it. */
export function resultIdOf({ id, at }: { readonly id: string; readonly at: number }): string {
  return `result-${id}-${at}`;
}

/** Filters of a search. Throws `INVALID_ARGUMENT` for a tag without its value. */
export function filtersOf({ folder, path, tags }: PageRequest): Pick<SearchFilesRequest, 'path' | 'tags'> {
  const paths = folder === '' ? path : insideOf(folder, path);
  return { ...(paths !== '' && { path: paths }), ...(tags.length > 0 && { tags: tagFilterOf(tags) }) };
}

/** A path inside of a folder, which it may begin with already. */
function insideOf(folder: string, path: string): string {
  if (path === '') return `${folder}/`;
  if (path === folder || path.startsWith(`${folder}/`)) return path;
  if (!isGlob(path)) return `${folder}/${path}`;
  // A glob without a slash is the name of a file in any folder.
  return `${literalGlob(folder)}/${path.includes('/') ? '' : '**/'}${path}`;
}

/** A passage's position in an address, if it has one. Throws `InvalidQuery`. */
export function positionOf(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError('InvalidQuery', `${name} must be an integer from 0; it is ${JSON.stringify(text)}.`);
}

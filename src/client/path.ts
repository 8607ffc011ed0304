import { WaymarkError } from '../domain/errors.js';

const FILES = '/v1/files';

/** The path of a file by id or key. Throws `INVALID_ARGUMENT` for a key that a URL cannot name. */
export function filePath(id: string): string {
  if (id === 'search' || id === 'tags') throw unnameable('id', id);
  return `${FILES}/${segment('id', id)}`;
}

/** Throws `INVALID_ARGUMENT` for a tag that a URL cannot name. */
export function tagPath(tag: string): string {
  return `${FILES}/tags/${segment('tag', tag)}/values`;
}

/** Throws `INVALID_ARGUMENT` for a name that a URL cannot name. */
export function botPath(id: string): string {
  return `/v1/admin/bots/${segment('id', id)}`;
}

/** Dots are folders to a URL, percent-encoded too; what is no well-formed text has no bytes. */
function segment(field: string, name: string): string {
  if (name === '.' || name === '..' || !name.isWellFormed()) throw unnameable(field, name);
  return encodeURIComponent(name);
}

function unnameable(field: string, name: string): WaymarkError {
  const message = `${field} must be one that a URL can name; it is ${JSON.stringify(name)}: over HTTP such a file or bot has to be named by its id.`;
  return new WaymarkError('INVALID_ARGUMENT', message);
}

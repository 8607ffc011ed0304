import { types } from 'node:util';
import { z } from 'zod';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { frozenCopy } from './frozen.js';

const OPEN = '{{';
const CLOSE = '}}';

/** `event.kb.results[0].content`: each part of it begins in its own way, so that matching takes linear time. */
const NAME = String.raw`[\p{L}\p{M}\p{N}_$:/@-]+`;
const PATH = new RegExp(String.raw`^${NAME}(?:\.${NAME}|\[\d+\])*$`, 'u');

const ESCAPE = `write \\${OPEN} where braces are text`;

const schema = z.object({
  template: z.string().describe('a text'),
  data: z
    .custom<object>((data) => typeof data === 'object' && data !== null)
    .describe('an object of what the template names, such as { event }'),
});

/**
 * A text in which each `{{path}}` is replaced by what the data has there: `{{event.preview}}`,
 * `{{ event.kb.results[0].content }}`, `{{event.kb.results.0.key}}`. Names are letters, digits and `_ $ : / @ -`.
 *
 * - Only own properties are reached: `{{event.constructor}}` is missing like any other. Nothing is called.
 * - What is missing or null is empty. A Date is ISO 8601, a list or object JSON, all else plain text: it is not escaped,
 *   and braces in it are not looked at again.
 * - `\{{` is `{{` as text; `\\{{event.preview}}` is a backslash, then the value.
 *
 * Throws `INVALID_ARGUMENT` for `{{` that is not closed, for what is no path, and for a value that is no data.
 */
export function renderTemplate(template: string, data: object): string {
  validate(schema, { template, data });
  const parts: string[] = [];
  let at = 0;
  for (let open = template.indexOf(OPEN); open >= 0; open = template.indexOf(OPEN, at)) {
    const slashes = backslashesBefore(template, { open, from: at });
    parts.push(template.slice(at, open - Math.ceil(slashes / 2)));
    if (slashes % 2 === 1) {
      parts.push(OPEN);
      at = open + OPEN.length;
      continue;
    }
    const close = template.indexOf(CLOSE, open);
    if (close < 0) {
      throw new WaymarkError(
        'INVALID_ARGUMENT',
        `The template does not close the ${OPEN} at character ${open + 1}: end it with ${CLOSE}, or ${ESCAPE}.`,
      );
    }
    parts.push(valueAt(template.slice(open + OPEN.length, close).trim(), data));
    at = close + CLOSE.length;
  }
  parts.push(template.slice(at));
  return parts.join('');
}

function backslashesBefore(template: string, { open, from }: { open: number; from: number }): number {
  let first = open;
  while (first > from && template[first - 1] === '\\') first--;
  return open - first;
}

function valueAt(path: string, data: object): string {
  if (!PATH.test(path)) {
    const shown = path.length > 40 ? `${path.slice(0, 39).toWellFormed()}…` : path;
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      `${OPEN}${shown}${CLOSE} in the template is no path such as ${OPEN}event.preview${CLOSE}: correct it, or ${ESCAPE}.`,
    );
  }
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  return shownAs(path, names.reduce<unknown>(ownValue, data));
}

/** Undefined for what an object does not have itself; a getter is not called. */
function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || types.isDate(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function shownAs(path: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const data: unknown = frozenCopy(value, path);
  if (types.isDate(data)) return Number.isNaN(data.getTime()) ? '' : data.toISOString();
  if (typeof data !== 'object') return String(data);
  return JSON.stringify(data, (_, field) => (typeof field === 'bigint' ? String(field) : field));
}

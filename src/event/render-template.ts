import { types } from 'node:util';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { frozenCopy } from './frozen-copy.js';

const OPEN = '{{';
const CLOSE = '}}';

/** `event.kb.results[0].content`. Each kind of part starts with a different character: matching takes linear time. */
const NAME = String.raw`[\p{L}\p{M}\p{N}_$:/@-]+`;
const PATH = new RegExp(String.raw`^${NAME}(?:\.${NAME}|\[\d+\])*$`, 'u');

const ESCAPE = `write \\${OPEN} for literal braces`;

const schema = z.object({
  template: z.string().describe('a string'),
  data: z
    .custom<object>((data) => typeof data === 'object' && data !== null)
    .describe('an object with the names that the template uses, such as { event }'),
});

/**
 * Replaces each `{{path}}` in a template by the value at that path of `data`: `{{event.preview}}`,
 * `{{ event.kb.results[0].content }}`, `{{event.kb.results.0.key}}`. Names consist of letters, digits and
 * `_ $ : / @ -`.
 *
 * - Only own properties are read, and nothing is called: `{{event.constructor}}` is as missing as any unknown name.
 * - A missing value or null becomes the empty string, a Date ISO 8601, an array or object JSON, anything else plain
 *   text. Values are not escaped, and braces in them are not expanded.
 * - `\{{` is a literal `{{`; `\\{{event.preview}}` is a backslash followed by the value.
 *
 * Throws `INVALID_ARGUMENT` for an unclosed `{{`, an invalid path, and a value that is not data.
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
        `The template does not close the ${OPEN} at character ${open + 1}: close it with ${CLOSE}, or ${ESCAPE}.`,
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
      `${OPEN}${shown}${CLOSE} in the template is not a path such as ${OPEN}event.preview${CLOSE}: ` +
        `correct it, or ${ESCAPE}.`,
    );
  }
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  return textOf(path, names.reduce<unknown>(ownValue, data));
}

/** The value of an own property, undefined if there is none; getters are not called. */
function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || types.isDate(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function textOf(path: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const data: unknown = frozenCopy(value, path);
  if (types.isDate(data)) return Number.isNaN(data.getTime()) ? '' : data.toISOString();
  if (typeof data !== 'object') return String(data);
  return JSON.stringify(data, (_, field) => (typeof field === 'bigint' ? String(field) : field));
}

import { damagedPart } from './checksums.js';

type Guard = (value: unknown) => boolean;

const isText: Guard = (value) => typeof value === 'string';
const isObject: Guard = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf =
  (isItem: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const isTags: Guard = (value) => isObject(value) && Object.values(value as object).every(isText);
const isTexts = isListOf(isText);

/** What a column with JSON may hold. */
const SHAPES = {
  object: isObject,
  tags: isTags,
  texts: isTexts,
  tagRules: isListOf((rule) => {
    if (!isObject(rule)) return false;
    const { path, tags } = rule as { readonly path?: unknown; readonly tags?: unknown };
    return (isText(path) || isTexts(path)) && isTags(tags);
  }),
} as const satisfies Record<string, Guard>;

/** An object, texts by name, a list of texts, or the tag rules of a folder. */
export type JsonShape = keyof typeof SHAPES;

/**
 * The value of a column with JSON; `part` names its row, or reads the name. Throws `DATABASE_DAMAGED` for what is not
 * JSON, and for JSON of another shape.
 */
export function storedJson<T>(
  json: string,
  { shape, part }: { readonly shape: JsonShape; readonly part: string | (() => string) },
): T {
  const damaged = (cause?: unknown) => damagedPart(typeof part === 'string' ? part : part(), { cause });
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw damaged(cause);
  }
  if (!SHAPES[shape](value)) throw damaged();
  return value as T;
}

/** Whether a column has JSON of a shape. */
export function isStoredJson(json: string, shape: JsonShape): boolean {
  try {
    return SHAPES[shape](JSON.parse(json));
  } catch {
    return false;
  }
}

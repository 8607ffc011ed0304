import type { Tags } from '../passage.js';

/** One value or several. */
export type TagValues = string | readonly string[];

/** Operators on the value of a tag; all of them must hold. */
export interface TagOperators {
  /** The value is one of these. An empty list is no condition. */
  readonly in?: TagValues | undefined;
  /** The value is none of these, or the condition does not hold. A file without the tag passes a list of values. */
  readonly not?: TagValues | Pick<TagOperators, 'in' | 'exists'> | undefined;
  /** Whether the file has the tag, with any value. */
  readonly exists?: boolean | undefined;
}

/**
 * Conditions on a file's tags; all of them must hold. A value, or one value of a list, must equal the tag's value. An
 * empty list is no condition.
 */
export type TagFilter = Readonly<Record<string, TagValues | TagOperators>>;

/** The condition on one tag, whichever way it was written. */
export interface TagCondition {
  /** The tag must have one of these values. If empty, any value passes, and so does a file without the tag. */
  readonly anyOf: readonly string[];
  /** Values that the tag must not have. */
  readonly noneOf: readonly string[];
  /** True if the file must have the tag, false if it must not; empty for no such condition. */
  readonly exists: ReadonlySet<boolean>;
}

/** Reads a condition of a filter. */
export function tagConditionOf(wanted: TagFilter[string]): TagCondition {
  const { in: values = [], not = [], exists } = isOperators(wanted) ? wanted : { in: wanted };
  const negated = isOperators(not) ? not : { in: not };
  return {
    anyOf: [values].flat(),
    noneOf: [negated.in ?? []].flat(),
    exists: new Set(
      [exists, negated.exists === undefined ? undefined : !negated.exists].filter((it) => it !== undefined),
    ),
  };
}

/** Whether tags pass a filter. */
export function passesTags(tags: Tags, filter: TagFilter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const { anyOf, noneOf, exists } = tagConditionOf(wanted);
    const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
    const isAny = anyOf.length === 0 || (value !== undefined && anyOf.includes(value));
    const isNone = value === undefined || !noneOf.includes(value);
    return isAny && isNone && [...exists].every((isThere) => isThere === (value !== undefined));
  });
}

function isOperators<Operators extends object>(wanted: TagValues | Operators): wanted is Operators {
  return typeof wanted === 'object' && !Array.isArray(wanted);
}

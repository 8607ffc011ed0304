import { WaymarkError } from '../../domain/errors.js';
import type { TagFilter } from '../../domain/filters/tag-filter.js';
import { shown } from '../validate.js';

/** Operators on one tag as they are collected. */
interface Collected {
  readonly in?: readonly string[];
  readonly not?: readonly string[];
  readonly exists?: boolean;
}

/**
 * The filter of conditions as people type them. `name=value`: the tag has the value, or one of those that are given for
 * the same name. `name!=value`: it has another value, or the file lacks the tag. `name=*` and `name!=*`: the file has
 * the tag, or lacks it. Throws `INVALID_ARGUMENT`.
 */
export function tagFilterOf(conditions: readonly string[]): TagFilter {
  if (!Array.isArray(conditions)) {
    throw new WaymarkError('INVALID_ARGUMENT', `Conditions must be a list of texts; they are ${shown(conditions)}.`);
  }
  const filter = new Map<string, Collected>();
  for (const condition of conditions) {
    const [, name, not, value] = /^([^=]+?)(!?)=(.*)$/s.exec(condition) ?? [];
    if (name === undefined || value === undefined || name === '!') {
      const message = `A tag is given as name=value or name!=value; this one is ${shown(condition)}.`;
      throw new WaymarkError('INVALID_ARGUMENT', message);
    }
    const before = filter.get(name) ?? {};
    const operator = not ? 'not' : 'in';
    const exists = not === '';
    if (value === '*' && before.exists === !exists) {
      throw new WaymarkError('INVALID_ARGUMENT', `${name}=* and ${name}!=* exclude each other: leave one of them out.`);
    }
    const more = value === '*' ? { exists } : { [operator]: [...(before[operator] ?? []), value] };
    filter.set(name, { ...before, ...more });
  }
  return Object.fromEntries(filter);
}

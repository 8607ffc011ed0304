import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import { withLineFeeds } from './lines.js';
import type { Unit } from './units.js';

/** Units that become one passage; `cost` in tokens, `length` in characters. */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly cost: number;
  readonly length: number;
  readonly lead: string | undefined;
}

/**
 * Units in order, grouped greedily up to the limit. A unit that introduces the next one goes with it where both have at
 * most `most` tokens: `To install it:` is with the command.
 */
export function pack(
  units: readonly Unit[],
  { limit, most, source }: { limit: number; most: number; source: string },
): Group[] {
  const groups: Unit[][] = [];
  let [cost, length] = [0, 0];
  const fits = (unit: Unit, tokens: number) =>
    cost + unit.cost <= tokens && length + characters(source, unit) <= limit * CHARACTERS_PER_TOKEN;
  for (const unit of units) {
    const last = groups.at(-1);
    if (last && fits(unit, limit)) {
      last.push(unit);
    } else {
      const introduction = last && last.length > 1 && last.at(-1)?.introduces ? last.at(-1) : undefined;
      [cost, length] = [introduction?.cost ?? 0, introduction ? characters(source, introduction) : 0];
      if (introduction && fits(unit, most)) {
        last?.pop();
        groups.push([introduction, unit]);
      } else {
        groups.push([unit]);
        [cost, length] = [unit.lead?.cost ?? 0, 0];
      }
    }
    cost += unit.cost;
    length += characters(source, unit);
  }
  return groups.map((group) => groupOf(group, source));
}

/** Characters of [start, end), the same for CRLF as for LF. */
export function characters(source: string, { start, end }: { readonly start: number; readonly end: number }): number {
  return withLineFeeds(source.slice(start, end)).length;
}

function groupOf(units: readonly Unit[], source: string): Group {
  const [first, last] = [units[0] as Unit, units.at(-1) as Unit];
  return {
    start: first.start,
    end: last.end,
    cost: units.reduce((sum, { cost }) => sum + cost, first.lead?.cost ?? 0),
    length: units.reduce((sum, unit) => sum + characters(source, unit), 0),
    lead: first.lead?.text,
  };
}

import { CHARACTERS_PER_TOKEN } from './characters-per-token.js';
import { characters } from './lines.js';
import type { Unit } from './units.js';
import { labelsOf } from './values/values.js';

/** Units that become one passage; `cost` in tokens. */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly cost: number;
  readonly headerRow: string | undefined;
  /** What names the row and the values of a part of a row. */
  readonly names: readonly string[];
}

/**
 * Units in order, grouped greedily up to the limit. A unit that introduces the next one goes with it where both have at
 * most `most` tokens, or else its end does, where both have at most `longest`: `To install it:` is with the command.
 */
export function pack(
  units: readonly Unit[],
  { limit, most, longest, source }: { limit: number; most: number; longest: number; source: string },
): Group[] {
  const groups: Unit[][] = [];
  let [cost, length] = [0, 0];
  const fits = (unit: Unit, tokens: number, named = 0) =>
    cost + named + unit.cost <= tokens && length + characters(source, unit) <= tokens * CHARACTERS_PER_TOKEN;
  for (const unit of units) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    const isSameRow = previous?.value?.row === unit.value?.row;
    const named = isSameRow ? costOf(labelsOf(unit, previous)) : 0;
    if (last && isSameRow && fits(unit, limit, named)) {
      last.push(unit);
      cost += named;
    } else {
      const introduction = introductions(isSameRow ? last : []).find((each, i, { length: count }) => {
        [cost, length] = [each.cost, characters(source, each)];
        return fits(unit, i === count - 1 ? longest : most);
      });
      if (last && introduction) {
        const introducing = last.pop() as Unit;
        if (introduction.start > introducing.start) last.push(without(introducing, introduction));
        if (last.length === 0) groups.pop();
        groups.push([introduction, unit]);
      } else {
        groups.push([unit]);
        [cost, length] = [(unit.headerRow?.cost ?? 0) + costOf(labelsOf(unit)), 0];
      }
    }
    cost += unit.cost;
    length += characters(source, unit);
  }
  return groups.map(groupOf);
}

/**
 * What may leave a group for the next unit, which it introduces, the shortest last: the group's last unit, or the end
 * of that. Only the end of a unit that is introduced itself.
 */
function introductions(group: readonly Unit[] = []): Unit[] {
  const last = group.at(-1);
  if (!last?.introduction) return [];
  const { start, cost } = last.introduction;
  const whole = last.isIntroduced ? [] : [{ ...last, headerRow: undefined }];
  return start > last.start ? [...whole, { start, end: last.end, cost }] : whole;
}

/** A unit without the sentence that ends it. */
function without(unit: Unit, { start, cost }: Unit): Unit {
  return { ...unit, end: start, cost: unit.cost - cost, introduction: undefined };
}

function groupOf(units: readonly Unit[]): Group {
  const [first, last] = [units[0] as Unit, units.at(-1) as Unit];
  const labels = units.map((unit, i) => labelsOf(unit, units[i - 1]));
  return {
    start: first.start,
    end: last.end,
    cost: units.reduce((sum, { cost }, i) => sum + cost + costOf(labels[i] ?? {}), first.headerRow?.cost ?? 0),
    headerRow: first.headerRow?.text,
    // Only a unit that begins a passage has a title.
    names: namesOf(labels),
  };
}

function namesOf(labels: readonly ReturnType<typeof labelsOf>[]): string[] {
  const names: string[] = [];
  for (const { title, name } of labels) {
    if (title) names.push(title.text);
    if (name) names.push(name.text);
  }
  return names;
}

function costOf({ title, name }: ReturnType<typeof labelsOf>): number {
  return (title?.cost ?? 0) + (name?.cost ?? 0);
}

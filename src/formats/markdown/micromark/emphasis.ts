import { attention } from 'micromark-core-commonmark';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { resolveAll } from 'micromark-util-resolve-all';
import type {
  Construct,
  Event,
  Extension,
  Point,
  Resolver,
  Token,
  TokenizeContext,
  TokenType,
} from 'micromark-util-types';
import { LIMITS } from '../../../domain/limits.js';

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;

/** How the runs of a construct pair up. */
interface Delimiters {
  readonly run: TokenType;
  /** How many characters of both runs their pair takes; 0 if they are no pair. */
  readonly taken: (opener: Run, closer: Run) => number;
  readonly tokens: (taken: number) => Pair;
}

/** The types of the tokens of a pair. */
interface Pair {
  readonly group: TokenType;
  readonly sequence: TokenType;
  readonly text: TokenType;
}

/** A run of one delimiter, such as `**`. */
interface Run {
  readonly token: Token;
  readonly marker: string;
}

interface Opener extends Run {
  /** Where its events are in those that are resolved. */
  readonly at: number;
  /** How deep the pairs after it are nested, up to the next opener. */
  levels: number;
}

const EMPHASIS: Pair = { group: 'emphasis', sequence: 'emphasisSequence', text: 'emphasisText' };
const STRONG: Pair = { group: 'strong', sequence: 'strongSequence', text: 'strongText' };
const STRUCK: Pair = { group: 'strikethrough', sequence: 'strikethroughSequence', text: 'strikethroughText' };

const emphasis: Delimiters = {
  run: 'attentionSequence',
  taken: (opener, closer) => {
    if (opener.marker !== closer.marker) return 0;
    const [before, after] = [lengthOf(opener.token), lengthOf(closer.token)];
    const isAmbiguous = opener.token._close || closer.token._open;
    if (isAmbiguous && after % 3 !== 0 && (before + after) % 3 === 0) return 0;
    return Math.min(before, after, 2);
  },
  tokens: (taken) => (taken === 2 ? STRONG : EMPHASIS),
};

const strikethrough: Delimiters = {
  run: 'strikethroughSequenceTemporary',
  taken: (opener, closer) => {
    const length = lengthOf(closer.token);
    return length === lengthOf(opener.token) ? length : 0;
  },
  tokens: () => STRUCK,
};

/** One level more than a file may have: a file that has it is cut at lines. */
const MOST_LEVELS = LIMITS.nesting.value + 1;

/**
 * Emphasis and struck text for micromark, whose own constructs take time that is quadratic in the number of runs. By
 * the algorithm of CommonMark (https://spec.commonmark.org/0.31.2/#phase-2-inline-structure), which remembers for each
 * kind of closer below which opener there is no pair for it.
 */
export function linearEmphasis(): Extension {
  const attentions = { ...attention, name: 'linearAttention', resolveAll: resolver(emphasis) };
  const [library] = [gfmStrikethrough().text?.[TILDE] as Construct].flat();
  const strikethroughs = { ...library, name: 'linearStrikethrough', resolveAll: resolver(strikethrough) } as Construct;
  return {
    text: { [ASTERISK]: attentions, [UNDERSCORE]: attentions, [TILDE]: strikethroughs },
    insideSpan: { null: [strikethroughs, attentions] },
  };
}

function resolver(delimiters: Delimiters): Resolver {
  return (events, context) => {
    if (!events.some(([, { type }]) => type === delimiters.run)) return events;
    const resolved = new Resolution(delimiters, context).of(events);
    // In place: micromark holds the list.
    events.length = 0;
    for (const event of resolved) events.push(event);
    return events;
  };
}

/** One pass over the events of a text. */
class Resolution {
  readonly #delimiters: Delimiters;
  readonly #context: TokenizeContext;
  readonly #resolved: Event[] = [];
  readonly #openers: Opener[] = [];
  /** By kind of closer: how many openers, from the first, are no pair for it. */
  readonly #unpaired = new Map<string, number>();

  constructor(delimiters: Delimiters, context: TokenizeContext) {
    this.#delimiters = delimiters;
    this.#context = context;
  }

  of(events: readonly Event[]): Event[] {
    const { run } = this.#delimiters;
    for (const event of events) {
      const [kind, token] = event;
      if (token.type !== run) this.#resolved.push(event);
      else if (kind === 'enter') this.#take({ token, marker: this.#context.sliceSerialize(token).charAt(0) });
    }
    this.#asData(this.#resolved);
    return this.#resolved;
  }

  /** Closes what a run closes; what is left of it may open. */
  #take(run: Run): void {
    const { token } = run;
    if (token._close) {
      while (lengthOf(token) > 0 && this.#close(run));
    }
    if (lengthOf(token) === 0) return;
    if (token._open) this.#openers.push({ ...run, at: this.#resolved.length, levels: 0 });
    this.#resolved.push(['enter', token, this.#context], ['exit', token, this.#context]);
  }

  /** Pairs a run with the nearest opener. Returns false if there is none. */
  #close(run: Run): boolean {
    const index = this.#openerOf(run);
    const opener = this.#openers[index];
    if (!opener) return false;
    const within = this.#openers.slice(index).map(({ levels }) => levels);
    this.#openers.length = index + 1;
    for (const [kind, most] of this.#unpaired) this.#unpaired.set(kind, Math.min(most, index));
    const levels = within.reduce((most, one) => Math.max(most, one)) + 1;
    if (levels > MOST_LEVELS) this.#openers.pop();
    else this.#pair(opener, run);
    const outer = this.#openers.at(-1);
    if (outer) outer.levels = Math.max(outer.levels, Math.min(levels, MOST_LEVELS));
    return true;
  }

  #openerOf(run: Run): number {
    const kind = `${run.marker}${lengthOf(run.token) % 3}${run.token._open}`;
    const unpaired = this.#unpaired.get(kind) ?? 0;
    for (let index = this.#openers.length - 1; index >= unpaired; index--) {
      const opener = this.#openers[index];
      if (opener && this.#delimiters.taken(opener, run) > 0) return index;
    }
    this.#unpaired.set(kind, this.#openers.length);
    return -1;
  }

  /** Puts what is between an opener and a closer into a group, and takes its delimiters from both. */
  #pair(opener: Opener, closer: Run): void {
    const context = this.#context;
    const taken = this.#delimiters.taken(opener, closer);
    const types = this.#delimiters.tokens(taken);
    const [before, after] = [opener.token.end, closer.token.start];
    const start = moved(before, -taken);
    const end = moved(after, taken);
    const group: Token = { type: types.group, start, end };
    const opening: Token = { type: types.sequence, start: { ...start }, end: { ...before } };
    const text: Token = { type: types.text, start: { ...before }, end: { ...after } };
    const closing: Token = { type: types.sequence, start: { ...after }, end: { ...end } };
    opener.token.end = { ...start };
    closer.token.start = { ...end };

    const between = this.#resolved.splice(opener.at + 2);
    this.#asData(between);
    if (lengthOf(opener.token) === 0) {
      this.#resolved.length = opener.at;
      this.#openers.pop();
    }
    this.#resolved.push(
      ['enter', group, context],
      ['enter', opening, context],
      ['exit', opening, context],
      ['enter', text, context],
    );
    const inside = context.parser.constructs.insideSpan.null ?? [];
    for (const event of resolveAll(inside, between, context)) this.#resolved.push(event);
    this.#resolved.push(
      ['exit', text, context],
      ['enter', closing, context],
      ['exit', closing, context],
      ['exit', group, context],
    );
  }

  /** Runs without a pair are text. */
  #asData(events: readonly Event[]): void {
    for (const [, token] of events) {
      if (token.type === this.#delimiters.run) token.type = 'data';
    }
  }
}

function lengthOf({ start, end }: Token): number {
  return end.offset - start.offset;
}

/** A point on the same line. */
function moved(point: Point, by: number): Point {
  const { column, offset, _bufferIndex } = point;
  return { ...point, column: column + by, offset: offset + by, _bufferIndex: _bufferIndex + by };
}

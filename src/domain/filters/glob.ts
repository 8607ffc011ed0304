import { type GlobToken, tokensOf } from './glob-tokens.js';

/** A step of a compiled glob that reads one character, if it passes. */
interface Reading {
  readonly reads: (character: string) => boolean;
}

/** A step of a compiled glob: reads a character, or continues at several places at once. */
type Step = Reading | { readonly continuesAt: readonly number[] };

/** Maximum number of cached states: patterns that people write have a few dozen. */
const MAX_STATES = 1000;

/** All places of a pattern that can be reached with the characters read so far. */
interface State {
  /** Places that read a character. */
  readonly places: readonly number[];
  /** Whether the text may end here. */
  readonly isEnd: boolean;
  /** The states that follow, as far as they are known, by character. */
  readonly next: Map<string, State>;
}

/**
 * Compiles globs; the function it returns says whether a whole text matches one of them. `*` is any run of characters
 * within a folder, `?` one character, `[a-z]` and `[!a-z]` one of some characters, `{a,b}` either pattern, and `**` any
 * number of folders where it stands alone between slashes. A backslash makes the next character literal. A bracket or
 * brace without its counterpart is literal, too.
 *
 * The patterns are one nondeterministic automaton, whose states are simulated all at once (Thompson 1968, "Regular
 * expression search algorithm") and cached. A match takes at most as many steps as the product of the lengths of
 * patterns and text; with cached states, one for each character of the text.
 */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const steps: Step[] = [];
  writeEither(globs.map(tokensOf), steps);
  const states = new Map<string, State>();
  const stateAt = (entered: readonly number[]): State => {
    const places = follow(entered, steps);
    const reading = places.filter((place) => place < steps.length);
    const name = places.join();
    const known = states.get(name);
    if (known) return known;
    const state: State = { places: reading, isEnd: reading.length < places.length, next: new Map() };
    states.set(name, state);
    return state;
  };
  return (text) => {
    // Hostile input can fill the cache. It is cleared as a whole, because its states refer to each other.
    if (states.size > MAX_STATES) states.clear();
    let state = stateAt([0]);
    for (const character of text) {
      if (state.places.length === 0) return false;
      let next = state.next.get(character);
      if (!next) {
        const read = state.places.filter((place) => (steps[place] as Reading).reads(character));
        next = stateAt(read.map((place) => place + 1));
        state.next.set(character, next);
      }
      state = next;
    }
    return state.isEnd;
  };
}

/** The places that read or end, reached from some places without reading, in ascending order. */
function follow(entered: readonly number[], steps: readonly Step[]): number[] {
  const reached = new Set<number>();
  const open = [...entered];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (reached.has(place)) continue;
    reached.add(place);
    const step = steps[place];
    if (step && 'continuesAt' in step) open.push(...step.continuesAt);
  }
  return [...reached].filter((place) => !('continuesAt' in (steps[place] ?? {}))).sort((a, b) => a - b);
}

/** Appends the steps of some tokens. */
function write(tokens: readonly GlobToken[], steps: Step[]): void {
  for (const token of tokens) {
    const start = steps.length;
    if ('one' in token) {
      steps.push({ reads: token.one });
    } else if ('either' in token) {
      writeEither(token.either, steps);
    } else if (token.run === 'characters') {
      steps.push({ continuesAt: [start + 1, start + 3] }, { reads: isNoSlash }, { continuesAt: [start] });
    } else if (token.run === 'folders') {
      // Nothing, or anything up to a slash.
      steps.push({ continuesAt: [start + 1, start + 5] }, { continuesAt: [start + 2, start + 4] });
      steps.push({ reads: isAny }, { continuesAt: [start + 1] }, { reads: isSlash });
    } else {
      steps.push({ reads: isAny }, { continuesAt: [start, start + 2] });
    }
  }
}

function writeEither(alternatives: readonly (readonly GlobToken[])[], steps: Step[]): void {
  const starts: number[] = [];
  steps.push({ continuesAt: starts });
  const end = [0];
  for (const alternative of alternatives) {
    starts.push(steps.length);
    write(alternative, steps);
    steps.push({ continuesAt: end });
  }
  end[0] = steps.length;
}

function isNoSlash(character: string): boolean {
  return character !== '/';
}

function isSlash(character: string): boolean {
  return character === '/';
}

function isAny(): boolean {
  return true;
}

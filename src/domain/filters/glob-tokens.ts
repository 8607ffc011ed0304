/** A part of a glob. */
export type GlobToken =
  /** One character that passes the test. */
  | { readonly one: (character: string) => boolean }
  /** `*`; `**` before a slash, with the slash; `**` at the end. */
  | { readonly run: 'characters' | 'folders' | 'rest' }
  | { readonly either: readonly (readonly GlobToken[])[] };

type Piece = GlobToken | '{' | ',' | '}';

/** The parts of a glob, see `compileGlobs`. */
export function tokensOf(glob: string): readonly GlobToken[] {
  return grouped(piecesOf([...glob]));
}

function piecesOf(characters: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    const set = character === '[' ? setAt(characters, at) : undefined;
    if (set) {
      pieces.push({ one: set.passes });
      at = set.end;
    } else if (character === '\\' && at + 1 < characters.length) {
      pieces.push(literal(characters[++at] as string));
    } else if (character === '?') {
      pieces.push({ one: (given) => given !== '/' });
    } else if (character === '*') {
      let end = at;
      while (characters[end + 1] === '*') end += 1;
      const [before = '/', after = '/'] = [characters[at - 1], characters[end + 1]];
      const isAlone = end === at + 1 && '/{,'.includes(before) && '/,}'.includes(after);
      if (isAlone && characters[end + 1] === '/') end += 1;
      pieces.push({ run: !isAlone ? 'characters' : characters[end] === '/' ? 'folders' : 'rest' });
      at = end;
    } else if (character === '{' || character === ',' || character === '}') {
      pieces.push(character);
    } else {
      pieces.push(literal(character));
    }
  }
  return pieces;
}

function literal(character: string): GlobToken {
  return { one: (given) => given === character };
}

/** The set of characters that a bracket opens; undefined if nothing closes it. It never contains a slash. */
function setAt(
  characters: readonly string[],
  open: number,
): { readonly end: number; readonly passes: (character: string) => boolean } | undefined {
  const isNegated = characters[open + 1] === '!' || characters[open + 1] === '^';
  const first = open + (isNegated ? 2 : 1);
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = first; at < characters.length; at++) {
    // A closing bracket in the first place is one of the characters of the set.
    if (characters[at] === ']' && at > first) {
      const passes = (given: string) =>
        given !== '/' && ranges.some(([from, to]) => isBetween(given, [from, to])) !== isNegated;
      return { end: at, passes };
    }
    if (characters[at] === '\\') at += 1;
    const from = characters[at] ?? '';
    let to = from;
    if (characters[at + 1] === '-' && characters[at + 2] !== ']') {
      at += characters[at + 2] === '\\' ? 3 : 2;
      to = characters[at] ?? '';
    }
    ranges.push([from, to]);
  }
  return undefined;
}

function isBetween(given: string, [from, to]: readonly [string, string]): boolean {
  const code = given.codePointAt(0) ?? 0;
  return code >= (from.codePointAt(0) ?? 0) && code <= (to.codePointAt(0) ?? 0);
}

/** Groups the alternatives of braces. Braces that are not closed, or hold no comma, are literal. */
function grouped(pieces: readonly Piece[]): readonly GlobToken[] {
  // The alternatives of each open brace so far; the first entry is the whole pattern.
  const open: GlobToken[][][] = [[[]]];
  const add = (tokens: readonly GlobToken[]) =>
    open
      .at(-1)
      ?.at(-1)
      ?.push(...tokens);
  for (const piece of pieces) {
    if (piece === '{') {
      open.push([[]]);
    } else if (piece === ',' && open.length > 1) {
      open.at(-1)?.push([]);
    } else if (piece === '}' && open.length > 1) {
      const alternatives = open.pop() ?? [];
      add(alternatives.length > 1 ? [{ either: alternatives }] : [...literalBrace(alternatives), literal('}')]);
    } else {
      add([typeof piece === 'string' ? literal(piece) : piece]);
    }
  }
  while (open.length > 1) add(literalBrace(open.pop() ?? []));
  return open[0]?.[0] ?? [];
}

/** A literal brace with what follows it: what was read as its alternatives, with the commas between them. */
function literalBrace(alternatives: readonly (readonly GlobToken[])[]): GlobToken[] {
  return alternatives.flatMap((tokens, i) => [literal(i === 0 ? '{' : ','), ...tokens]);
}

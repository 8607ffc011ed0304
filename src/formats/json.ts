import { createScanner } from 'jsonc-parser';
import type { VisibleSink } from './visible-text.js';

/** A token of a JSON text. */
export interface JsonToken {
  /** Its first character: of a string `"`, of a brace or bracket itself, of a number or keyword its own. */
  readonly first: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is the name of a member of an object. */
  readonly isName: boolean;
}

/** The tokens of a valid JSON text in [start, end) of a source, without white space. */
export function* jsonTokens(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
): Generator<JsonToken> {
  const scanner = createScanner(source.slice(start, end), true);
  const read = () => {
    scanner.scan();
    const at = start + scanner.getTokenOffset();
    return { first: source.charAt(at), start: at, end: at + scanner.getTokenLength() };
  };
  for (let token = read(), next = token; token.end > token.start; token = next) {
    next = read();
    yield { ...token, isName: token.first === '"' && next.first === ':' };
  }
}

const PIECES = /\\(?:u[\da-f]{4}|[^u])|[^\\]+|\\/gi;

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Shows a JSON string, given without its quotes, with each escape sequence as its character. */
export function showJsonString(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
  sink: VisibleSink,
): void {
  for (const { 0: piece, index } of source.slice(start, end).matchAll(PIECES)) {
    const range = { start: start + index, end: start + index + piece.length };
    if (piece.length > 1 && piece.startsWith('\\')) sink.showAs(characterOf(piece.slice(1)), range);
    else sink.show(range.start, range.end);
  }
}

function characterOf(sequence: string): string {
  if (sequence.startsWith('u')) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
  return ESCAPES[sequence] ?? sequence;
}

import { UsageError } from '../usage-error.js';

/** A piece of a file as a splitter cut it, and its lines, from 1, both inclusive. */
export interface Placed {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Where the pieces of a text stand in it: each is looked for from the end of the one before. Throws `UsageError`. */
export function placed(text: string, pieces: readonly string[]): Placed[] {
  let [end, line] = [0, 1];
  return pieces.map((piece) => {
    const start = text.indexOf(piece, end);
    if (start < 0) throw new UsageError(`A piece of a text is not in it: ${JSON.stringify(piece.slice(0, 60))}.`);
    const startLine = line + breaksIn(text.slice(end, start));
    const endLine = startLine + breaksIn(piece);
    [end, line] = [start + piece.length, endLine];
    return { text: piece, startLine, endLine };
  });
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}

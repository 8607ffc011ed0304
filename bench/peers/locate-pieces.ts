import { UsageError } from '../support/cli/usage-error.js';

/** A piece of a text with its lines, from 1, both ends inclusive. */
export interface LocatedPiece {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** The lines of the pieces of a text, which must be in order. Throws `UsageError` for a piece that the text lacks. */
export function locatePieces(text: string, pieces: readonly string[]): LocatedPiece[] {
  let [end, line] = [0, 1];
  return pieces.map((piece) => {
    const start = text.indexOf(piece, end);
    if (start < 0) throw new UsageError(`The splitter changed the text: ${JSON.stringify(piece.slice(0, 60))}.`);
    const startLine = line + newlinesIn(text.slice(end, start));
    const endLine = startLine + newlinesIn(piece);
    [end, line] = [start + piece.length, endLine];
    return { text: piece, startLine, endLine };
  });
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

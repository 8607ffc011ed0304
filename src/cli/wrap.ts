/** A part of a line that fits into a terminal's width, in UTF-16 offsets. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

/** Blanks, a letter of a script that is written without them, or a word with its marks. */
const TOKEN =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A line in rows of at most `width` columns: cut at blanks, a word that is too long between its letters. */
export function wrap(line: string, width: number): Row[] {
  const rows: { start: number; end: number; columns: number }[] = [];
  let gap = 0;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (/^\s/.test(token)) {
      gap = columnsOf(token);
      continue;
    }
    for (const piece of piecesOf(token, width)) {
      const last = rows.at(-1);
      const end = index + piece.end;
      if (last && last.columns + gap + piece.columns <= width) {
        last.end = end;
        last.columns += gap + piece.columns;
      } else {
        rows.push({ start: index + piece.start, end, columns: piece.columns });
      }
      gap = 0;
    }
  }
  return rows.length > 0 ? rows.map(({ start, end }) => ({ start, end })) : [{ start: 0, end: 0 }];
}

/** A word whole, or in parts that each fill a row. */
function piecesOf(word: string, width: number): { start: number; end: number; columns: number }[] {
  const columns = columnsOf(word);
  if (columns <= width) return [{ start: 0, end: word.length, columns }];
  const pieces = [{ start: 0, end: 0, columns: 0 }];
  for (const { segment, index } of graphemes.segment(word)) {
    const last = pieces.at(-1);
    const columns = columnsOf(segment);
    if (last && last.columns + columns <= width) {
      last.end = index + segment.length;
      last.columns += columns;
    } else {
      pieces.push({ start: index, end: index + segment.length, columns });
    }
  }
  return pieces;
}

/** Columns that a text takes on a terminal: two for a wide letter or an emoji, none for an accent on another. */
function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

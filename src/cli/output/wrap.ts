import stringWidth from 'string-width';

/** The part of a line that fits the width, in UTF-16 offsets. */
export interface Row {
  readonly start: number;
  readonly end: number;
}

interface MeasuredRow {
  readonly start: number;
  end: number;
  /** Width on a terminal. */
  columns: number;
}

/** Scripts written without spaces. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;

/** Whitespace, one character of an unspaced script, or a word with its punctuation. */
const TOKEN = new RegExp(String.raw`\s+|[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gu');

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Wraps a line at whitespace into rows of at most `width` columns; a longer word is split between graphemes. */
export function wrap(line: string, width: number): Row[] {
  const rows: MeasuredRow[] = [];
  let gap = 0;
  for (const { 0: token, index } of line.matchAll(TOKEN)) {
    if (/^\s/.test(token)) {
      gap = stringWidth(token);
      continue;
    }
    for (const piece of split(token, width)) {
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

/** The whole word if it fits, otherwise parts that each fill a row. */
function split(word: string, width: number): MeasuredRow[] {
  const columns = stringWidth(word);
  if (columns <= width) return [{ start: 0, end: word.length, columns }];
  const parts: MeasuredRow[] = [];
  for (const { segment, index } of graphemes.segment(word)) {
    const last = parts.at(-1);
    const end = index + segment.length;
    const columns = stringWidth(segment);
    if (last && last.columns + columns <= width) {
      last.end = end;
      last.columns += columns;
    } else {
      parts.push({ start: index, end, columns });
    }
  }
  return parts;
}

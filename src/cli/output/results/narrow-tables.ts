import stringWidth from 'string-width';
import { hasFences } from './has-fences.js';
import { JOINED } from './wrap.js';

/** The row below the head of a table. */
const DELIMITERS = /^(?=[^|]*\|)[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*$/;

/** The blanks beside a pipe or at the end of a row, if there is more than one. A pipe after a backslash is text. */
const PADDING = /(?<=(?<!\\)\|)[ \t]{2,}|(?<=\S)[ \t]{2,}(?=\||\r?$)/g;

/**
 * Removes the padding of the cells of each table that has a row wider than the terminal: the padding would be printed
 * as rows of blanks. A text with fences is returned unchanged, because a passage may begin or end in code. The result
 * is as long as the text.
 */
export function narrowTables(text: string, width: number): string {
  if (hasFences(text)) return text;
  const lines = text.split('\n');
  let isWide = false;
  let isTable = false;
  return lines
    .map((line, i) => {
      const isHead = DELIMITERS.test(lines[i + 1]?.trimEnd() ?? '') && line.includes('|');
      if (isHead && !isTable) isWide = isAnyWide(lines.slice(i), width);
      isTable = isHead || (isTable && line.includes('|'));
      return isTable && isWide ? withoutPadding(line) : line;
    })
    .join('\n');
}

/** Whether a row of the table that lines begin with is too wide. */
function isAnyWide(lines: readonly string[], width: number): boolean {
  const end = lines.findIndex((line) => !line.includes('|'));
  return lines.slice(0, end < 0 ? lines.length : end).some((line) => stringWidth(line) > width);
}

function withoutPadding(row: string): string {
  const narrow = row.replace(PADDING, (blanks) => padded(blanks.slice(0, 1), blanks.slice(1)));
  return DELIMITERS.test(row.trimEnd()) ? narrow.replace(/(-{3})(-+)/g, (_, kept, rest) => padded(kept, rest)) : narrow;
}

/** The kept characters, with `JOINED` for each of the rest, so that offsets stay the same. */
function padded(kept: string, rest: string): string {
  return `${kept}${JOINED.repeat(rest.length)}`;
}

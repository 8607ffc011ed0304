import type { Range } from '../../../range.js';
import { SHORT } from '../places.js';
import { hideAround, type Shown, shownAttributes } from '../tags.js';
import { ADDRESS } from './address.js';
import { makeFences, type Reading } from './code-tags.js';

/** The name of a shortcode, and the word after it. */
const SHORTCODE = /^\{\{[<%][ \t]*([\w-]+)(?:[ \t]+([\w+#-]+)(?=[ \t>%]))?/;

const COMMENT_END = /\{\{[<%][ \t]*\/[ \t]*comment[ \t]*[>%]\}\}/g;

/** Shortcodes around code, and those around code if they name its language: otherwise they may be around prose. */
const OF_CODE = ['clients-example', 'code', 'code-toggle', 'command', 'highlight', 'redis-cli'];
const OF_CODE_IN_A_LANGUAGE = new Set(['card', 'tab', 'text']);

/** What the code of a shortcode ends with, and what another one of its kind begins with. */
const CODE_MARKS: ReadonlyMap<string, { readonly closing: RegExp; readonly opening: RegExp }> = new Map(
  [...OF_CODE, ...OF_CODE_IN_A_LANGUAGE].map((name) => [
    name,
    {
      closing: new RegExp(`\\{\\{[<%][ \\t]*/[ \\t]*${name}[ \\t]*[>%]\\}\\}`, 'g'),
      opening: new RegExp(`\\{\\{[<%][ \\t]*${name}(?=[ \\t>%])`, 'g'),
    },
  ]),
);

const LANGUAGE = /\s(?:lang|language|syntax)=["']?([\w+#-]+)/;
const IS_TEXT = /\stext=["']?true\b/;
/** What can be the title of a fence. */
const TITLE = /^[^"`]*\p{L}[^"`]*$/u;
const HEADER = /\s(?:header|title)=("[^"\r\n]*"|'[^'\r\n]*')/;

/** Shortcodes whose words a reader sees. */
const OF_WORDS = new Set(['badge', 'button', 'kbd', 'keys']);

/** `name=value`, which is not a word; `"a word"`; `word`. */
const PARAMETER = /[\w-]+=(?:"[^"]*"|'[^']*'|`[^`]*`|\S*)|"([^"\r\n]*)"|`([^`\r\n]*)`|([^\s"`]+)/dg;

/**
 * Hides the shortcode of Hugo at an offset, except for what a reader sees of it, or the comment that it begins. Returns
 * the offset after it; 0 if there is none.
 */
export function shortcode(reading: Reading, at: number): number {
  const { source, edits, closers } = reading;
  const open = source.slice(at, at + '{{<'.length);
  if (open !== '{{<' && open !== '{{%') return 0;
  const close = closers.next(open === '{{<' ? '>}}' : '%}}', at + open.length);
  if (close < 0) return 0;
  const end = close + '>}}'.length;
  // An example of a shortcode, which Hugo shows without the marks of a comment.
  const [before, after] = [at + open.length, close - '*/'.length];
  if (source.startsWith('/*', before) && before < after && source.startsWith('*/', after)) {
    edits.hide(before, before + '/*'.length);
    edits.hide(after, close);
    return end;
  }
  const [, name = '', word = ''] = SHORTCODE.exec(source.slice(at, Math.min(end, at + SHORT))) ?? [];
  const isAlone = source.charAt(close - 1) === '/';
  const comment = name === 'comment' && !isAlone ? closers.match(COMMENT_END, end) : undefined;
  if (comment) {
    edits.hide(at, comment.end);
    return comment.end;
  }
  const codeEnd = isAlone ? 0 : code(reading, { start: at, end, name, word });
  if (codeEnd > 0) return codeEnd;
  const mark = { start: at, end, source };
  const words = OF_WORDS.has(name) ? shownWords(source.slice(at, close - (isAlone ? 1 : 0)), { at, name }) : [];
  hideAround(
    [...shownAttributes(mark), ...words].sort((a, b) => a.open - b.open),
    edits,
    mark,
  );
  return end;
}

/** The words in a tag, except for addresses. */
function shownWords(tag: string, { at, name }: { at: number; name: string }): Shown[] {
  const from = tag.indexOf(name) + name.length;
  const shown: Shown[] = [];
  for (const { 1: double, 2: back, 3: word, indices } of tag.slice(from).matchAll(PARAMETER)) {
    const text = double ?? back ?? word ?? '';
    const [first, last] = indices?.[1] ?? indices?.[2] ?? indices?.[3] ?? [0, 0];
    if (text.trim() !== '' && !ADDRESS.test(text)) shown.push({ open: at + from + first - 1, close: at + from + last });
  }
  return shown;
}

function code(
  reading: Reading,
  { start, end, name, word }: { start: number; end: number; name: string; word: string },
): number {
  const marks = CODE_MARKS.get(name);
  if (!marks) return 0;
  const { source, closers } = reading;
  const tag = source.slice(start, Math.min(end, start + SHORT));
  const language = LANGUAGE.exec(tag)?.[1] ?? (name === 'highlight' || name === 'text' ? word : '');
  if (OF_CODE_IN_A_LANGUAGE.has(name) && (language === '' || IS_TEXT.test(tag))) return 0;
  const close = closers.match(marks.closing, end);
  const another = closers.match(marks.opening, end);
  // One without an end includes a file.
  if (!close || (another && another.start < close.start)) return 0;
  return makeFences(reading, { start, end, language, closing: marks.closing, label: header(tag, start) });
}

function header(tag: string, at: number): Range | undefined {
  const match = HEADER.exec(tag);
  const [whole = '', quoted = ''] = match ?? [];
  if (!match || !TITLE.test(quoted.slice(1, -1))) return undefined;
  const end = at + match.index + whole.length - 1;
  return { start: end - quoted.length + 2, end };
}

import type { Closers } from '../closers.js';
import type { Edits } from '../edits.js';
import { SHORT, startsLine } from '../places.js';
import { makeFences } from '../templates/code-tags.js';

/** What the commands of a text are found with. */
export interface DoxygenReading {
  readonly source: string;
  readonly edits: Edits;
  readonly closers: Closers;
  /** Whether the text has commands of Doxygen, see `isDoxygen`. */
  readonly isDoxygen: boolean;
}

/** Commands that only Doxygen has: elsewhere `@note` may be a person, and `\ref{a}` is LaTeX. */
const OF_DOXYGEN = [
  /^[ \t>]*[@\\](?:(?:page|anchor|mainpage|subpage)[ \t]+[A-Za-z_]|image[ \t]+html[ \t]|tableofcontents[ \t]*$)/m,
  /(?:^|[\s(])[@\\](?:ref|subpage)(?:[ \t]+|[ \t]*(?:\r\n?|\n)[ \t>]*)[A-Za-z_]\w/m,
];

const COMMAND = /^[@\\]([a-z]+)(?![\w{(-])/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Commands that take up a whole line, which a reader does not see. */
const UNSEEN = words(
  'anchor cond dontinclude endcond include ingroup line skip skipline snippet tableofcontents until',
);

/** Commands that begin a paragraph, whose names a reader sees. */
const NAMED = words('attention bug deprecated note post pre remark remarks return returns sa see since todo warning');

/** Commands that precede a text; a reader sees only the text. */
const BEFORE_TEXT = words('a b brief c details e em li p par short');

/** `@ref name` and `@ref name "Text"`; the name may be on the next line. */
const REFERENCE = new RegExp(
  String.raw`^([@\\](?:ref|subpage)(?:[ \t]+|[ \t]*(?:\r\n?|\n)[ \t>]*))([A-Za-z_][\w.:/-]*\w)` +
    String.raw`(?:\(\))?(?:([ \t]+")([^"\r\n]+)")?`,
);

/** `@image html a.png "Text" width=5cm`. */
const IMAGE = /^([@\\]image[ \t]+[a-z]+[ \t]+[^\s"]+)(?:([ \t]+")([^"\r\n]*)")?[^\r\n]*/;

/** `@page name Title`, and the levels of such headings. */
const HEADING = /^[@\\](page|section|subsection|subsubsection)[ \t]+[\w:.-]+[ \t]+(?=\S)/;
const LEVELS = ['page', 'section', 'subsection', 'subsubsection'];

/** `@code{.cpp}` */
const CODE = /^[@\\]code(?:\{\.?(\w+)\})?(?=[ \t]*[\r\n])/;
const CODE_END = /[@\\]endcode\b/g;

/** Whether a text has commands of Doxygen, which begin with `@` or a backslash. */
export function isDoxygen(source: string): boolean {
  return OF_DOXYGEN.some((command) => command.test(source));
}

/**
 * Hides the command at an offset, except for what a reader sees of it. Returns the offset after it; 0 if there is none.
 */
export function hideCommand(reading: DoxygenReading, at: number): number {
  const { source, edits, isDoxygen: isRead } = reading;
  if (!isRead || /[^\s(>|]/.test(source.charAt(at - 1))) return 0;
  const head = source.slice(at, at + SHORT);
  const [mark, before = '', name = '', quote = '', text = ''] = REFERENCE.exec(head) ?? [];
  if (mark !== undefined) {
    const start = text === '' ? at + before.length : at + mark.indexOf(quote, before.length) + quote.length;
    edits.hide(at, start);
    edits.hide(start + (text || name).length, at + mark.length);
    return at + mark.length;
  }
  const [command, word = ''] = COMMAND.exec(head) ?? [];
  const end = at + (command?.length ?? 0);
  if (BEFORE_TEXT.has(word) && /[ \t]/.test(source.charAt(end))) {
    edits.hide(at, end + 1);
    return end + 1;
  }
  return startsLine(source, at) ? hideOnLine(reading, { at, head, word }) : 0;
}

/** The same for a command that only begins a line. */
function hideOnLine(reading: DoxygenReading, { at, head, word }: { at: number; head: string; word: string }): number {
  const { edits } = reading;
  const [image, file = '', quote = '', caption = ''] = IMAGE.exec(head) ?? [];
  if (image !== undefined) {
    const start = at + file.length + quote.length;
    edits.hide(at, start);
    edits.hide(start + caption.length, at + image.length);
    return at + image.length;
  }
  const [heading, kind = ''] = HEADING.exec(head) ?? [];
  if (heading !== undefined) {
    edits.replace(at, at + heading.length, `${'#'.repeat(LEVELS.indexOf(kind) + 1)} `);
    return at + heading.length;
  }
  const [code, language = ''] = CODE.exec(head) ?? [];
  if (code !== undefined) return makeFences(reading, { start: at, end: at + code.length, language, closing: CODE_END });
  if (NAMED.has(word)) {
    edits.hide(at, at + 1);
    return at + 1 + word.length;
  }
  if (!UNSEEN.has(word)) return 0;
  const [line = ''] = /^[^\r\n]*/.exec(head) ?? [];
  edits.hide(at, at + line.length);
  return at + line.length;
}

import type { Edits } from '../edits.js';
import { BEFORE, closingMark, type Fence, fenceOf, isOutside, MARK } from '../fences.js';
import type { Inline } from '../inline-marks.js';
import { KINDS } from '../kinds.js';
import type { Line } from '../line-marks.js';
import { prefixLength } from '../places.js';
import { SHOWN_NAMES } from '../tags.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Directives whose argument is a path, a class or a number of columns. */
const WITHOUT_TITLE = words(
  'button-link button-ref container div exercise-end exercise-start figure figure-md grid grid-item image index raw ' +
    'solution solution-end solution-start tab-set',
);

/** Directives whose body is markdown. */
const PROSE = words(
  'admonition aside attention card caution danger deprecated dropdown epigraph error grid-item-card hint important ' +
    'list-table margin note pull-quote rubric seealso sidebar tab-item table tip topic versionadded versionchanged ' +
    `warning exercise ${[...WITHOUT_TITLE].join(' ')}`,
);

/** Theorems, proofs and the like: `{prf:theorem}`. */
const PROOF = /^prf:[a-z]+$/;

/** Other directives that no other flavour has. */
const OTHERS = words('code-block code-cell contents csv-table eval-rst include literalinclude toctree');

/** A line of a table of contents: blank, a file, or a title and a file. */
const ENTRY = /^[ \t>]*(?:[^\s:]\S*|\S.*<[^<>]+>)?[ \t]*$/;
/** An entry with a title before its file. */
const TITLED = /\S[ \t]*<[^<>]+>[ \t]*$/;

const FENCED = new RegExp(`^(${BEFORE})(${MARK})[ \\t]*\\{([a-z][\\w:-]*)\\}`);
const COLONS = new RegExp(`^(${BEFORE}):{3,}[ \\t]*\\{([a-z][\\w:-]*)\\}`);

/** `(target)=` names what comes next. */
const TARGET = /^[ \t>]*\(\w[\w.:/ -]*\)=[ \t]*$/;
const COMMENT = /^%/;
/** `+++` separates cells, and `^^^` ends the header of a card. */
const BREAK = /^[ \t>]*(?:\+\+\+(?:[ \t]+\{[^\r\n]*)?|\^\^\^)[ \t]*$/;

/** What one of its marks takes, which is faster to find than to tell from code. */
const LIKELY = /(?:```|~~~|:::)[ \t]*\{[a-z]|\)=[ \t]*$/m;

/** `:class: dropdown`, and the same in YAML between `---`. */
const OPTION = /^([ \t>]*:([A-Za-z][\w-]*):(?![^ \t])[ \t]*)/;
const YAML_MARK = /^[ \t>]*---[ \t]*$/;
const YAML_OPTION = /^([ \t>]*([A-Za-z][\w-]*):(?![^ \t])[ \t]*)/;
/** A label is what references name. */
const SHOWN_OPTIONS: ReadonlySet<string> = new Set(SHOWN_NAMES.filter((name) => name !== 'label'));

const ROLE = /^\{([A-Za-z][\w:+.-]*)\}(`+)/;
/** Roles of Sphinx that no other flavour has: `{ref}`, `{py:func}`. */
const OF_SPHINX = /^(?:doc|eq|numref|ref|term|[a-z]\w*(?:\+\w+)?:[a-z:]+)$/;
const ICONS = /^(?:octicon|fa[bsr]?|material-\w+)$/;

/** Nested directives that are followed. */
const DEEPEST = 20;
const LONGEST_ROLE = 500;

/** Whether the body of a directive is markdown. */
export function isProseOfMyst(name: string): boolean {
  return PROSE.has(name) || PROOF.test(name);
}

/** Whether a text is MyST, the markdown of Sphinx. */
export function isMyst(source: string): boolean {
  if (!LIKELY.test(source)) return false;
  return source.split(/\r?\n|\r/).some((line) => {
    if (line.includes(')=') && TARGET.test(line)) return true;
    if (!line.includes('{')) return false;
    const name = FENCED.exec(line)?.[3];
    return name === undefined ? COLONS.test(line) : isProseOfMyst(name) || OTHERS.has(name);
  });
}

/** Hides the marks of MyST that take up lines: fences around prose, options, targets, comments. */
export class Myst {
  readonly #edits: Edits;
  readonly #open: Fence[] = [];
  /** Whether the next line may be an option of a directive. */
  #options: 'first' | 'more' | 'yaml' | 'none' = 'none';

  /** Whether the code that is open is a table of contents. */
  #isContents = false;

  /** Whether the container that has begun is one, and only entries have followed. */
  #isContainerOfEntries = false;

  constructor(edits: Edits) {
    this.#edits = edits;
  }

  /** Takes a line outside of code. Returns the offset up to which it is read; undefined if it has no mark of MyST. */
  take(line: Line): number | undefined {
    const { text, start } = line;
    for (let top = this.#open.at(-1); top && isOutside(text, top); top = this.#open.at(-1)) this.#open.pop();
    const read = this.#option(line) ?? this.#entryOfContainer(line) ?? this.#colons(line) ?? this.#fence(line);
    if (read !== undefined) return read;
    if (!TARGET.test(text) && !COMMENT.test(text) && !BREAK.test(text) && !this.#closes(text)) return undefined;
    this.#edits.hide(start + prefixLength(text), start + text.length);
    return start + text.length;
  }

  /**
   * Takes a line of code or the fence that opens it. Returns whether it is an option, whose caption stays visible, or a
   * file in a table of contents.
   */
  takeCode(line: Line, { isOpening }: { readonly isOpening: boolean }): boolean {
    if (!isOpening) return this.#option(line) !== undefined || this.#entry(line);
    const name = FENCED.exec(line.text)?.[3];
    this.#options = name !== undefined && name !== 'eval-rst' ? 'first' : 'none';
    this.#isContents = name === 'toctree';
    return false;
  }

  #entry(line: Line): boolean {
    if (!this.#isContents || closingMark(line.text) !== undefined) return false;
    this.#hideEntry(line);
    return true;
  }

  #entryOfContainer(line: Line): number | undefined {
    this.#isContainerOfEntries &&= ENTRY.test(line.text);
    return this.#isContainerOfEntries ? this.#hideEntry(line) : undefined;
  }

  /** Hides an entry of a table of contents, except for its title. Returns the offset after it. */
  #hideEntry({ text, start }: Line): number {
    const shown = TITLED.test(text) ? text.lastIndexOf('<') : prefixLength(text);
    const end = start + text.length;
    this.#edits.hide(start + shown, end);
    return end;
  }

  #option({ text, start }: Line): number | undefined {
    const state = this.#options;
    this.#options = 'none';
    if (state === 'none') return undefined;
    const end = start + text.length;
    const isMark = state !== 'more' && YAML_MARK.test(text);
    const [, mark = '', name] = (state === 'yaml' ? YAML_OPTION : OPTION).exec(text) ?? [];
    if (isMark) this.#options = state === 'first' ? 'yaml' : 'none';
    else if (name === undefined) return undefined;
    else this.#options = state === 'yaml' ? 'yaml' : 'more';
    const isShown = name !== undefined && SHOWN_OPTIONS.has(name);
    this.#edits.hide(start, isShown ? start + mark.length : end);
    return isShown ? start + mark.length : end;
  }

  /** `:::{name}`; its end is that of a container. */
  #colons(line: Line): number | undefined {
    const [head, before = '', name = ''] = COLONS.exec(line.text) ?? [];
    if (head === undefined) return undefined;
    this.#options = 'first';
    this.#isContainerOfEntries = name === 'toctree';
    return isProseOfMyst(name) ? this.#opening(line, { head, before, name }) : undefined;
  }

  #fence(line: Line): number | undefined {
    const [head, before = '', mark = '', name = ''] = FENCED.exec(line.text) ?? [];
    if (head === undefined || !isProseOfMyst(name) || this.#open.length >= DEEPEST) return undefined;
    this.#open.push(fenceOf(before, mark));
    this.#options = 'first';
    return this.#opening(line, { head, before, name });
  }

  /** Hides the opening of a directive, except for its kind and title. */
  #opening({ text, start }: Line, { head, before, name }: { head: string; before: string; name: string }): number {
    const at = start + before.length;
    const end = start + (WITHOUT_TITLE.has(name) ? text.length : head.length);
    if (!KINDS.has(name)) {
      this.#edits.hide(at, end);
      return end;
    }
    const nameAt = start + head.indexOf('{') + 1;
    const after = nameAt + name.length;
    this.#edits.hide(at, nameAt);
    if (/^\}[ \t]/.test(text.slice(after - start))) this.#edits.hide(after, after + 1);
    else this.#edits.overwrite(after, after + 1, ' ');
    return end;
  }

  /** Whether a line closes a directive: the innermost of the same mark, or else the outermost of a shorter one. */
  #closes(text: string): boolean {
    const mark = closingMark(text);
    if (mark === undefined) return false;
    const marks = this.#open.map((open) => open.mark);
    const same = marks.lastIndexOf(mark);
    const closed = same < 0 ? marks.findIndex((each) => mark.startsWith(each)) : same;
    if (closed < 0) return false;
    this.#open.length = closed;
    return true;
  }
}

/**
 * Hides the name of the role whose brace is at an offset, and the target of a link. Returns the offset after it; 0 if
 * there is none. Outside of MyST, only those of Sphinx are roles.
 */
export function hideRole(
  { source, edits, spans }: Pick<Inline, 'source' | 'edits' | 'spans'>,
  at: number,
  { isMyst }: { readonly isMyst: boolean },
): number {
  const [head, name = '', ticks = ''] = ROLE.exec(source.slice(at, at + 100)) ?? [];
  if (head === undefined || !(isMyst || OF_SPHINX.test(name))) return 0;
  const from = at + head.length;
  const end = spans.end(from - ticks.length);
  if (end === from) return 0;
  if (ICONS.test(name)) {
    edits.hide(at, end);
    return end;
  }
  edits.hide(at, from - ticks.length);
  if (/[~!]/.test(source.charAt(from))) edits.hide(from, from + 1);
  const content = source.slice(from, Math.min(end - ticks.length, from + LONGEST_ROLE));
  const target = content.endsWith('>') ? content.lastIndexOf('<') : -1;
  const shown = target < 0 ? content : content.slice(0, target).trimEnd();
  if (shown !== '') edits.hide(from + shown.length, from + content.length);
  return end;
}

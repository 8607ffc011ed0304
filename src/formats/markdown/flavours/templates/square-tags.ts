import { SHORT } from '../places.js';
import { hideExceptShown } from '../tags.js';
import { makeFences, type Reading } from './code-tags.js';

/** Tags in square brackets: shortcodes of Grav, and those of Discourse. */
const NAMES = 'code|date|details|div|prism|quote|ui-callout|ui-callout-item|ui-tab|ui-tabs|version|wrap';

const QUOTED = `"[^"\\r\\n]*"|'[^'\\r\\n]*'`;
const VALUE = `=(${QUOTED}|[^\\]\\r\\n]*?)`;
const ATTRIBUTES = `(?: +[\\w-]+=(?:${QUOTED}|[^\\s\\]]+))*`;
/** What a link or a definition has behind its bracket. */
const NO_LINK = '(?![(:])';

/** `[details="Title"]`, `[div class="a"]`, `[quote]`. */
const OPENING = new RegExp(`^\\[(${NAMES})(?:${VALUE})?(${ATTRIBUTES}) *\\]${NO_LINK}`);
const CLOSING = new RegExp(`^\\[/(?:${NAMES})\\]${NO_LINK}`);

const LANGUAGE = /\b(?:language-|lang=["']?)([\w+#-]+)/;
const CODE_ENDS: ReadonlyMap<string, RegExp> = new Map(
  ['code', 'prism'].map((name) => [name, new RegExp(`\\[/${name}\\]`, 'g')]),
);

/** Tags whose value is their title. */
const TITLED = new Set(['details', 'date']);

/**
 * Hides a tag in square brackets at an offset, except for what a reader sees of it; those around code become its
 * fences. Returns the offset after it; 0 if there is none.
 */
export function hideSquareTag(reading: Reading, at: number): number {
  const { source, edits, closers } = reading;
  const head = source.slice(at, at + SHORT);
  const [closing] = CLOSING.exec(head) ?? [];
  if (closing !== undefined) {
    // Grav shows one of `[version=15]5.6[/version][version=16]7.1[/version]`.
    edits.replace(at, at + closing.length, ' ');
    return at + closing.length;
  }
  const [tag, name = '', value = '', attributes = ''] = OPENING.exec(head) ?? [];
  if (tag === undefined) return 0;
  const end = at + tag.length;
  const isPlain = value === '' && attributes === '';
  if (isPlain && (/\w/.test(source.charAt(at - 1)) || closers.next(`[/${name}]`, end) < 0)) return 0;
  const codeEnd = CODE_ENDS.get(name);
  if (codeEnd) {
    const language = LANGUAGE.exec(attributes)?.[1] ?? '';
    const after = makeFences(reading, { start: at, end, language, closing: codeEnd });
    if (after > 0) return after;
  }
  if (TITLED.has(name) && value !== '') {
    const quote = /^["']/.test(value) ? 1 : 0;
    const start = at + `[${name}=`.length + quote;
    edits.hide(at, start);
    edits.hide(start + value.length - 2 * quote, end);
  } else {
    hideExceptShown(edits, { start: at, end, source });
  }
  return end;
}

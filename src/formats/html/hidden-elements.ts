import { decodeHTML } from 'entities';
import type { Token } from 'parse5';
import { CELLS, ENDED_BY, FLOW, HEADING, NESTING } from './elements.js';

/** The most characters of the classes of an element that are looked at. */
const LONGEST_NAMES = 500;

type Attributes = Token.TagToken['attrs'];

/**
 * Classes and ids of navigation where no element or role says so, as in documentation by DocBook, Docco, Doxygen,
 * Javadoc and Sphinx, and with Bootstrap.
 */
const NAVIGATION = new RegExp(
  '^(?:(?:top|bottom|sub|side|main)[-_]?nav|nav(?:igation|header|footer|row\\d|-?path)?|' +
    '(?:[a-z]+-)?navbar|jump_to|sphinxsidebar)$',
  'i',
);

/** Elements that have the page in them, whatever they are called. */
const PAGE = new Set(['html', 'body', 'main', 'article']);

/** Whether an element is hidden by an attribute, or is navigation by its role. */
export function isHidden(attrs: Attributes): boolean {
  return attrs.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'aria-hidden' && value === 'true') ||
      (name === 'role' && value.trim().toLowerCase() === 'navigation'),
  );
}

/** Whether an element is navigation by its class or id. */
export function isNamedNavigation({ name, attrs }: { readonly name: string; readonly attrs: Attributes }): boolean {
  if (PAGE.has(name)) return false;
  return attrs.some(
    (attribute) => (attribute.name === 'class' || attribute.name === 'id') && namesNavigation(attribute.value),
  );
}

function namesNavigation(names: string): boolean {
  return names.length <= LONGEST_NAMES && names.split(/\s+/).some((one) => NAVIGATION.test(one));
}

/** Whether an element is never in navigation, so that what begins before it and only has a name of navigation ends. */
function endsNavigation(name: string): boolean {
  return name === 'h1' || PAGE.has(name);
}

/** The signs of a link to its own place, or back to it, and characters that nobody sees. */
const SIGNS = /^(?:[\s¶§#◆⚓↩🔗\u2060\ufeff]|[\u200b-\u200d]|[\ufe0e\ufe0f])*$/u;

/** The most characters of such a link. */
const LONGEST_SIGN = 40;

/** Whether an element is a link within its page that shows a sign only, as generators add to headings. */
export function isPermalink(
  { name, attrs, end }: { readonly name: string; readonly attrs: Attributes; readonly end: number },
  source: string,
): boolean {
  if (name !== 'a' || !attrs.some((attribute) => attribute.name === 'href' && attribute.value.startsWith('#'))) {
    return false;
  }
  const [, sign] = /^([^<]*)<\/a[\s>]/i.exec(source.slice(end, end + LONGEST_SIGN)) ?? [];
  return sign !== undefined && SIGNS.test(decodeHTML(sign));
}

/** An element that hides its content, while it is read. */
export class HiddenElement {
  readonly #name: string;
  /** Whether only its class or id says that it is navigation. */
  readonly #isGuess: boolean;
  /** How many elements of each name are open in it. */
  readonly #open = new Map<string, number>();

  constructor(name: string, { isGuess }: { readonly isGuess: boolean }) {
    this.#name = name;
    this.#isGuess = isGuess;
  }

  /** Whether it has ended where an element of that name starts. */
  endsBefore(name: string): boolean {
    if (this.#isGuess && endsNavigation(name)) return true;
    if (!ENDED_BY.get(this.#name)?.has(name)) return false;
    return this.#name === 'p' || [...NESTING].every((outer) => this.#openOf(outer) === 0);
  }

  /** Reads the start tag of an element in it. */
  start(name: string): void {
    this.#open.set(name, this.#openOf(name) + 1);
  }

  /** Reads an end tag: its own, that of an element in it or of none, or that of one around it, where it has ended. */
  end(name: string): 'own' | 'inner' | 'outer' {
    const open = this.#openOf(name);
    if (open > 0) this.#open.set(name, open - 1);
    else if (name === this.#name) return 'own';
    else if (this.#mayBeIn(name)) return 'outer';
    return 'inner';
  }

  /** Whether an end tag without a start tag in it ends an element around it; others are ignored, as by browsers. */
  #mayBeIn(name: string): boolean {
    if (!ENDED_BY.has(this.#name) || name === 'p') return false;
    if (CELLS.has(name)) return this.#name !== 'tr' && !CELLS.has(this.#name);
    return FLOW.has(name) || HEADING.test(name);
  }

  #openOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }
}

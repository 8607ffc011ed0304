import { decodeHTML } from 'entities';
import type { Token } from 'parse5';

/** The most characters of the classes of an element that are looked at. */
const LONGEST_NAMES = 500;

type Attributes = Token.TagToken['attrs'];

/**
 * Classes and ids of navigation where no element or role says so, as in documentation by DocBook, Doxygen, Javadoc and
 * Sphinx, and with Bootstrap.
 */
const NAVIGATION =
  /^(?:(?:top|bottom|sub|side|main)[-_]?nav|nav(?:igation|header|footer|-?path)?|(?:[a-z]+-)?navbar|sphinxsidebar)$/i;

/** Elements that have the page in them, whatever they are called. */
const PAGE = new Set(['html', 'body', 'main', 'article']);

/** Whether an element is hidden by an attribute, or is navigation by its role, class or id. */
export function isHidden({ name, attrs }: { readonly name: string; readonly attrs: Attributes }): boolean {
  return attrs.some(
    ({ name: attribute, value }) =>
      attribute === 'hidden' ||
      (attribute === 'aria-hidden' && value === 'true') ||
      (attribute === 'role' && value.trim().toLowerCase() === 'navigation') ||
      ((attribute === 'class' || attribute === 'id') && !PAGE.has(name) && isNavigation(value)),
  );
}

function isNavigation(names: string): boolean {
  return names.length <= LONGEST_NAMES && names.split(/\s+/).some((one) => NAVIGATION.test(one));
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

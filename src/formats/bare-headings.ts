import type { HeadedSection, Section } from './cutting/section.js';

/**
 * Makes each heading with nothing below it, not even another heading, a passage of its own under the headings above it.
 * A heading with subheadings needs none: it is found by the breadcrumbs of the passages below it.
 */
export function withBareHeadings(sections: readonly HeadedSection[]): Section[] {
  // A heading without words may leave nothing.
  const found = sections.filter(({ heading, blocks }) => heading || blocks.length > 0);
  return found.map((section, i) => withBareHeading(section, found[i + 1]));
}

function withBareHeading(section: HeadedSection, next: HeadedSection | undefined): Section {
  const { heading, breadcrumb, blocks } = section;
  if (blocks.length > 0 || !heading) return section;
  // A section without a heading continues the one before it, as a cell of code does.
  const isDeeper = next && (!next.heading || isBelow(next, section));
  const hasMore = isDeeper && breadcrumb.every((above, i) => next.breadcrumb[i] === above);
  if (hasMore && !heading.hasMarkers) return section;
  const above = heading.text === '' ? breadcrumb : breadcrumb.slice(0, -1);
  const subtype = heading.depth === 1 ? 'title' : 'subtitle';
  return { breadcrumb: above, blocks: [{ ...heading, subtype }], headingStart: heading.start };
}

/** Whether a section with a heading is below another one. A heading without a text is in no breadcrumb. */
function isBelow({ heading, breadcrumb }: HeadedSection, above: HeadedSection): boolean {
  const isNamed = above.heading?.text !== '';
  return isNamed ? breadcrumb.length > above.breadcrumb.length : (heading?.depth ?? 0) > (above.heading?.depth ?? 0);
}

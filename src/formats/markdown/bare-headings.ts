import type { Section } from '../cutting/section.js';
import type { HeadedSection } from './sections.js';

/**
 * Makes each heading with nothing below it, not even another heading, a passage of its own under the headings above it.
 * A heading with subheadings needs none: it is found by the breadcrumbs of the passages below it.
 */
export function withBareHeadings(sections: readonly HeadedSection[]): Section[] {
  return sections.map((section, i) => withBareHeading(section, sections[i + 1]));
}

function withBareHeading(section: HeadedSection, next: Section | undefined): Section {
  const { heading, breadcrumb, blocks } = section;
  if (blocks.length > 0 || !heading) return section;
  const hasSubheading =
    next && next.breadcrumb.length > breadcrumb.length && breadcrumb.every((above, i) => next.breadcrumb[i] === above);
  if (hasSubheading && !heading.hasMarkers) return section;
  const above = heading.text === '' ? breadcrumb : breadcrumb.slice(0, -1);
  const subtype = heading.depth === 1 ? 'title' : 'subtitle';
  return { breadcrumb: above, blocks: [{ ...heading, subtype }], headingStart: heading.start };
}

import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { Breadcrumb } from '../../domain/passage.js';
import type { ParsedPassage } from '../parser.js';
import { type Gathering, gather } from './gather.js';
import type { Section } from './section.js';

/** The passages of all sections, numbered from 0. Beyond the limit of a file's breadcrumbs, passages have none. */
export function passagesOf(
  sections: readonly Section[],
  gathering: Gathering,
): { readonly passages: ParsedPassage[]; readonly warnings: readonly string[] } {
  const passages: ParsedPassage[] = [];
  let room = LIMITS.breadcrumbs.value;
  let firstWithout: ParsedPassage | undefined;
  for (const section of sections) {
    const bytes = firstWithout ? 0 : bytesOf(section.breadcrumb);
    for (const passage of gather(firstWithout ? { ...section, breadcrumb: [] } : section, gathering)) {
      room -= bytes;
      if (room < 0) firstWithout ??= passage;
      passages.push({ ...passage, position: passages.length, breadcrumb: firstWithout ? [] : passage.breadcrumb });
    }
  }
  const warnings = firstWithout && [
    `${describeExcess({ limit: LIMITS.breadcrumbs })}: from line ${firstWithout.startLine} on, passages have none.`,
  ];
  return { passages, warnings: warnings ?? [] };
}

function bytesOf(breadcrumb: Breadcrumb): number {
  return breadcrumb.reduce((sum, heading) => sum + Buffer.byteLength(heading), 0);
}

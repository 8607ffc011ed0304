import type { ParsedPassage } from '../parser.js';
import { type Gathering, gather } from './gather.js';
import type { Section } from './section.js';

/** The passages of all sections, numbered from 0. */
export function passagesOf(sections: readonly Section[], gathering: Gathering): ParsedPassage[] {
  const passages: ParsedPassage[] = [];
  for (const section of sections) {
    for (const passage of gather(section, gathering)) passages.push({ ...passage, position: passages.length });
  }
  return passages;
}

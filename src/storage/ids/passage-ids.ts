import { stableUuid } from './stable-uuid.js';

/**
 * Returns a function that assigns an id to each passage of a file. Call it in document order: equal texts are numbered,
 * so that each gets an id of its own.
 */
export function passageIds(fileId: string): (text: string) => string {
  const occurrences = new Map<string, number>();
  return (text) => {
    const occurrence = occurrences.get(text) ?? 0;
    occurrences.set(text, occurrence + 1);
    return stableUuid([fileId, occurrence, text]);
  };
}

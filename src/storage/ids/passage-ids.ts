import { stableUuid } from './stable-uuid.js';

/** Returns what gives the passages of a file their ids, in their order: equal texts are told apart by it. */
export function passageIds(fileId: string): (text: string) => string {
  const occurrences = new Map<string, number>();
  return (text) => {
    const occurrence = occurrences.get(text) ?? 0;
    occurrences.set(text, occurrence + 1);
    return stableUuid([fileId, occurrence, text]);
  };
}

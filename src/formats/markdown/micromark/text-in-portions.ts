import type { Resolver } from 'micromark-util-types';
// micromark does not export the module that merges text. Its version is pinned.
import { resolver, string, text } from '../../../../node_modules/micromark/lib/initialize/text.js';

/** Events that micromark resolves at a time. */
const PORTION = 1_000;

/**
 * Lets micromark merge the text of a paragraph a portion of its events at a time: for each pair that it merges, it
 * moves all later events. Changes the constructs of this process, so it is for processes of our own.
 */
export function resolveTextInPortions(): void {
  for (const construct of [text, string, resolver]) {
    const { resolveAll } = construct;
    if (resolveAll) construct.resolveAll = inPortions(resolveAll);
  }
}

function inPortions(resolve: Resolver): Resolver {
  return (events, context) => {
    if (events.length <= PORTION) return resolve(events, context);
    const given = events.slice();
    // In place: micromark holds the list.
    events.length = 0;
    for (let start = 0; start < given.length; ) {
      let end = Math.min(start + PORTION, given.length);
      // Text is merged with the text before it, and looks at what follows it.
      while (end < given.length && given[end - 1]?.[1].type === 'data') end++;
      for (const event of resolve(given.slice(start, end), context)) events.push(event);
      start = end;
    }
    return events;
  };
}

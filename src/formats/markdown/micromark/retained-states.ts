import * as constructs from 'micromark-core-commonmark';
import type { Construct } from 'micromark-util-types';

/** Of each construct, the functions that micromark made when it last tried it. */
const retained = new Map<Construct, readonly unknown[]>();

/**
 * Keeps the functions that micromark makes for a text until it makes them again. It creates new states wherever it
 * tries a construct, and V8 drops the optimized code of a function that no object has: every full collection of the
 * heap would drop all of it. Changes the constructs of this process, so it is for processes of our own.
 */
export function retainStates(): void {
  for (const construct of Object.values(constructs)) {
    if (!('tokenize' in construct)) continue;
    const { tokenize } = construct;
    construct.tokenize = function (effects, ok, nok) {
      const state = tokenize.call(this, effects, ok, nok);
      retained.set(construct, [this, effects, ok, nok, state]);
      return state;
    };
  }
}

/** Releases the functions, and with them the last text. */
export function releaseStates(): void {
  retained.clear();
}

import { WaymarkError } from '../../../index.js';

/** Default tokens of an answer: about ten passages. */
export const BUDGET = 4000;
const LEAST = 500;
const MOST = 100_000;

/** Characters of a token, on average: agents have tokenizers of their own. */
const CHARACTERS = 4;

/** A budget in tokens. Throws `INVALID_ARGUMENT`. */
export function validateBudget(tokens: unknown): number {
  if (Number.isInteger(tokens) && Number(tokens) >= LEAST && Number(tokens) <= MOST) return Number(tokens);
  const message = `budget must be an integer from ${LEAST} to ${MOST} tokens; it is ${JSON.stringify(tokens)}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/** The most items, from the first, whose text is within a budget; 0 if not even the text of none is. */
export function fitting(count: number, budget: number, textOf: (shown: number) => string): number {
  let [fits, exceeds] = [0, count + 1];
  while (exceeds - fits > 1) {
    const shown = Math.floor((fits + exceeds) / 2);
    if (textOf(shown).length <= budget * CHARACTERS) fits = shown;
    else exceeds = shown;
  }
  return fits;
}

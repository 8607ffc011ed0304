import { WaymarkError } from '../../../index.js';
import { BUDGET } from '../../mcp-budget.js';
import type { Answer } from './tool.js';

/** Characters of a token, on average: agents have tokenizers of their own. */
const CHARACTERS = 4;

/** A budget in tokens. Throws `INVALID_ARGUMENT`. */
export function validateBudget(tokens: unknown): number {
  const { least, most } = BUDGET;
  if (Number.isInteger(tokens) && Number(tokens) >= least && Number(tokens) <= most) return Number(tokens);
  const message = `budget must be an integer from ${least} to ${most} tokens; it is ${JSON.stringify(tokens)}.`;
  throw new WaymarkError('INVALID_ARGUMENT', message);
}

/**
 * The number of items, from the first, of the longest answer within a budget both as text and as JSON: some agents give
 * their model the one, some the other. 0 if none fits.
 */
export function fittingCount(count: number, budget: number, answerOf: (shown: number) => Answer): number {
  const isWithin = ({ text, structured }: Answer) =>
    Math.max(text.length, JSON.stringify(structured).length) <= budget * CHARACTERS;
  // The whole answer needs no sentence about what was left out, so it may be shorter than one with fewer items.
  if (isWithin(answerOf(count))) return count;
  let [fits, exceeds] = [0, count];
  while (exceeds - fits > 1) {
    const shown = Math.floor((fits + exceeds) / 2);
    if (isWithin(answerOf(shown))) fits = shown;
    else exceeds = shown;
  }
  return fits;
}

/** The answer with as many items as a budget allows; without items if none fits. */
export function fittingAnswer(count: number, budget: number, answerOf: (shown: number) => Answer): Answer {
  return answerOf(fittingCount(count, budget, answerOf));
}

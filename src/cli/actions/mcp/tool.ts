import { type SearchEngine, WaymarkError } from '../../../index.js';
import { BUDGET } from '../../mcp-budget.js';
import type { BotPlace } from '../../storage-place.js';
import { shownValue } from './shown-value.js';

/** What a tool works with. */
export interface ToolContext {
  readonly engine: SearchEngine;
  /** The bot of the engine. */
  readonly botPlace: BotPlace;
  /** Tokens that the answer may have, unless the call names another number. */
  readonly budget: number;
  /** Fires when the agent no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** The answer of a tool: for reading, and for programs. */
export interface Answer {
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** Arguments as an agent sent them, unchecked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool that agents call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What agents read to choose it. */
  readonly description: string;
  /** JSON Schemas of the arguments. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** What it throws becomes the answer, as one sentence. */
  run(given: Arguments, context: ToolContext): Promise<Answer>;
}

/** The JSON Schema of the argument by which a call has another budget than the server's. */
export const BUDGET_PROPERTY = {
  type: 'integer',
  minimum: BUDGET.least,
  maximum: BUDGET.most,
  description: 'Maximum tokens of the answer. What does not fit is named, so that you can read it with get.',
};

/** Throws `INVALID_ARGUMENT` for an argument that a tool does not have: agents guess some of their names. */
export function checkNames(given: Arguments, { name: tool, properties }: Tool): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const known = Object.keys(properties);
  const use = known.length > 0 ? `use ${known.join(', ')}` : 'it takes none';
  throw new WaymarkError('INVALID_ARGUMENT', `${tool} has no argument ${JSON.stringify(unknown)}: ${use}.`);
}

/** The value of an argument that is a string. Throws `INVALID_ARGUMENT`. */
export function stringOf(given: Arguments, name: string): string {
  const value = given[name];
  if (typeof value === 'string') return value;
  throw new WaymarkError('INVALID_ARGUMENT', `${name} must be a string; it is ${shownValue(value)}.`);
}

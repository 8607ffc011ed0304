import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { z } from 'zod';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { frozenCopy, isPlainObject } from './frozen-copy.js';
import type { EventState, IncomingEvent } from './incoming-event.js';
import { knowledgeBaseSchema, knowledgeResultSchema } from './knowledge.js';

/** The fields of an event to create. */
export interface IncomingEventInput extends Omit<IncomingEvent, 'id' | 'createdOn' | 'state'> {
  /** Defaults to a new UUID. */
  readonly id?: string | undefined;
  /** A Date, or an ISO 8601 date and time with `Z` or an offset. Defaults to now. */
  readonly createdOn?: Date | string | undefined;
  /** Defaults to an empty object. */
  readonly state?: EventState | undefined;
}

const text = z.string().min(1);
const name = text.describe('a non-empty string');
const optionalName = text.optional().describe('a non-empty string');
const date = z.custom<Date>((value) => types.isDate(value) && !Number.isNaN(value.getTime()));
const dateText = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const fields = z.custom<Readonly<Record<string, unknown>>>(isPlainObject).describe('a plain object');

const schema = z.object({
  botId: name,
  conversationId: optionalName,
  createdOn: z
    .union([date, dateText])
    .default(() => new Date())
    .describe('a Date, or an ISO 8601 date and time with Z or an offset, such as 2026-01-31T12:00:00Z'),
  direction: z.enum(['incoming', 'outgoing']).describe('incoming or outgoing'),
  id: text.default(randomUUID).describe('a non-empty string'),
  integration: optionalName,
  kb: z
    .object({ included: z.array(knowledgeBaseSchema), results: z.array(knowledgeResultSchema).optional() })
    .optional()
    .describe('an object { included: [{ name, tags? }], results?: [{ dsFriendlyName, content, score, key }] }'),
  messageId: optionalName,
  payload: fields,
  preview: z.string().describe('a string'),
  state: fields.default({}).describe('a plain object'),
  tags: z
    .object({ conversation: fields.optional(), message: fields.optional(), user: fields.optional() })
    .optional()
    .describe('an object { conversation?, message?, user? } of plain objects'),
  trigger: z
    .object({
      conversationId: text.optional(),
      eventName: text.optional(),
      flowId: text,
      integration: text.optional(),
      nodeId: text,
      userId: text.optional(),
    })
    .optional()
    .describe('an object { flowId, nodeId, conversationId?, eventName?, integration?, userId? } of non-empty strings'),
  type: name,
  userId: optionalName,
});

/**
 * Creates an event: a validated, complete and deeply frozen copy of the input, whose Dates are read-only too. Fields
 * that `IncomingEvent` does not have are omitted, because events of a platform carry internal ones. `payload`, `state`
 * and `tags` are kept whole and must be data: what JSON can hold, Dates and bigints. Throws `INVALID_ARGUMENT`, with
 * the field, what it must be and what it is.
 */
export function createIncomingEvent(input: IncomingEventInput): IncomingEvent {
  if (!isPlainObject(input)) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      'An event must be a plain object with at least botId, direction, payload, preview and type.',
    );
  }
  const valid: IncomingEvent = validate(schema, input);
  const entries = Object.entries(valid).map(([field, value]) => [field, frozenCopy(value, field)]);
  return Object.freeze(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { z } from 'zod';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { frozenCopy, isPlainObject } from './frozen.js';
import type { EventState, IncomingEvent } from './incoming-event.js';
import { knowledgeBaseSchema, knowledgeResultSchema } from './knowledge.js';

/** An event as a caller gives it. */
export interface IncomingEventInput extends Omit<IncomingEvent, 'id' | 'createdOn' | 'state'> {
  /** A new UUID unless given. */
  readonly id?: string | undefined;
  /** A Date, or date and time by ISO 8601 with `Z` or an offset; now unless given. */
  readonly createdOn?: Date | string | undefined;
  /** Empty unless given. */
  readonly state?: EventState | undefined;
}

const text = z.string().min(1);
const name = text.describe('a text, not empty');
const optionalName = text.optional().describe('a text, not empty');
const date = z.custom<Date>((value) => types.isDate(value) && !Number.isNaN(value.getTime()));
const dateText = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const fields = z.custom<Readonly<Record<string, unknown>>>(isPlainObject).describe('a plain object');

const schema = z.object({
  botId: name,
  conversationId: optionalName,
  createdOn: z
    .union([date, dateText])
    .default(() => new Date())
    .describe('a Date, or date and time by ISO 8601 with Z or an offset, such as 2026-01-31T12:00:00Z'),
  direction: z.enum(['incoming', 'outgoing']).describe('incoming or outgoing'),
  id: text.default(randomUUID).describe('a text, not empty'),
  integration: optionalName,
  kb: z
    .object({ included: z.array(knowledgeBaseSchema), results: z.array(knowledgeResultSchema).optional() })
    .optional()
    .describe(
      'an object of the list included of { name, tags? } and the list results of { dsFriendlyName, content, score, key }',
    ),
  messageId: optionalName,
  payload: fields,
  preview: z.string().describe('a text'),
  state: fields.default({}).describe('a plain object'),
  tags: z
    .object({ conversation: fields.optional(), message: fields.optional(), user: fields.optional() })
    .optional()
    .describe('an object of the plain objects conversation, message and user'),
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
    .describe('an object of the texts flowId and nodeId, and conversationId, eventName, integration, userId if known'),
  type: name,
  userId: optionalName,
});

/**
 * An event that is checked, complete and frozen to its last list. It is a copy: what was given stays as it is, and
 * changes of it do not reach the event. A Date in it throws where it is set. Fields that `IncomingEvent` has not are
 * left out, since a platform's events have internal ones; payload, state and tags are kept whole and must be data (what
 * JSON holds, Dates, bigints). Throws `INVALID_ARGUMENT`, naming the field, what it must be and what it is.
 */
export function createIncomingEvent(input: IncomingEventInput): IncomingEvent {
  if (!isPlainObject(input)) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      'An event is made from a plain object that has at least botId, direction, payload, preview and type.',
    );
  }
  const valid: IncomingEvent = validate(schema, input);
  const entries = Object.entries(valid).map(([field, value]) => [field, frozenCopy(value, field)]);
  return Object.freeze(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

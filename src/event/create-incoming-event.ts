import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { isPlainObject } from '../contract/fields/plain-object.js';
import { validate } from '../contract/validate.js';
import { WaymarkError } from '../domain/errors.js';
import { z } from '../domain/zod.js';
import { frozenCopy } from './frozen-copy.js';
import type { EventKnowledge, EventState, EventTags, EventTrigger, IncomingEvent } from './incoming-event.js';
import { knowledgeRecordSchema, knowledgeResultSchema } from './knowledge.js';

/** The fields, where each optional one may also be null. */
type WithNulls<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] | (undefined extends Fields[Name] ? null : never);
};

/** The fields of an event to create. Null stands for an absent value, as platforms write it. */
export interface IncomingEventInput
  extends WithNulls<Omit<IncomingEvent, 'id' | 'createdOn' | 'state' | 'kb' | 'tags' | 'trigger'>> {
  /** Defaults to a new UUID. */
  readonly id?: string | null | undefined;
  /** A Date, or an ISO 8601 date and time with `Z` or an offset. Defaults to now. */
  readonly createdOn?: Date | string | null | undefined;
  /** Defaults to an empty object. */
  readonly state?: EventState | null | undefined;
  /** The knowledge bases that were queried. */
  readonly kb?: WithNulls<EventKnowledge> | null | undefined;
  /** Tags of the conversation, the message and the user. */
  readonly tags?: WithNulls<EventTags> | null | undefined;
  /** The trigger that sent the event. */
  readonly trigger?: WithNulls<EventTrigger> | null | undefined;
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
    .object({ included: z.array(knowledgeRecordSchema), results: z.array(knowledgeResultSchema).optional() })
    .optional()
    .describe('an object { included: [{ name? }], results?: [{ dsFriendlyName, content, score?, key? }] }'),
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
 * that `IncomingEvent` does not have are omitted, because events of a platform carry internal ones. `payload`, `state`,
 * `tags`, and the knowledge bases with their results are kept whole and must be data: what JSON can hold, Dates and
 * bigints. Throws `INVALID_ARGUMENT`, with the field, what it must be and what it is.
 */
export function createIncomingEvent(input: IncomingEventInput): IncomingEvent {
  if (!isPlainObject(input)) {
    throw new WaymarkError(
      'INVALID_ARGUMENT',
      'An event must be a plain object with at least botId, direction, payload, preview and type.',
    );
  }
  const valid: IncomingEvent = validate(schema, withoutNulls(input));
  const entries = Object.entries(valid).map(([field, value]) => [field, frozenCopy(value, field)]);
  return Object.freeze(Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

/** Leaves out what is null in an event, and in those of its parts whose fields may be absent. */
function withoutNulls(input: IncomingEventInput): unknown {
  const { kb, tags, trigger, ...event } = input;
  return present({ ...event, kb: present(kb), tags: present(tags), trigger: present(trigger) });
}

/** The members of an object that are not null; anything else as it is. */
function present(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

import { expect, test } from 'vitest';
import { createIncomingEvent, type IncomingEvent, type IncomingEventInput } from 'waymark';
import { LEAST } from './events.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const WHOLE: IncomingEventInput = {
  botId: 'bot-1',
  conversationId: 'conversation-1',
  createdOn: '2026-01-31T14:00:00+02:00',
  direction: 'outgoing',
  id: 'event-1',
  integration: 'webchat',
  kb: {
    included: [{ name: 'docs', tags: { kbName: ['a', 'b'], draft: { not: 'yes' } }, id: 7 }],
    results: [{ dsFriendlyName: 'Apples', content: 'Apples are red.', score: 0.5, key: 'apples.md' }],
  },
  messageId: 'message-1',
  payload: { text: 'Red.', buttons: [{ title: 'More', at: 3 }], quoted: null },
  preview: 'Red.',
  state: { turns: 2, user: { language: 'en' } },
  tags: { conversation: { channel: 'web' }, message: {}, user: { 'crm:vip': true } },
  trigger: {
    conversationId: 'conversation-2',
    eventName: 'ordered',
    flowId: 'flow-1',
    integration: 'shop',
    nodeId: 'node-1',
    userId: 'user-2',
  },
  type: 'text',
  userId: 'user-1',
};

type Required<T> = { [Field in keyof T]-?: Record<string, never> extends Pick<T, Field> ? never : Field }[keyof T];

test('an event has the fields of the specification, required as there', () => {
  // A field too many or too few does not compile.
  const required: Record<Required<IncomingEvent>, true> = {
    botId: true,
    createdOn: true,
    direction: true,
    id: true,
    payload: true,
    preview: true,
    state: true,
    type: true,
  };
  const optional: Record<Exclude<keyof IncomingEvent, Required<IncomingEvent>>, true> = {
    conversationId: true,
    integration: true,
    kb: true,
    messageId: true,
    tags: true,
    trigger: true,
    userId: true,
  };
  expect(Object.keys(WHOLE).sort()).toEqual([...Object.keys(required), ...Object.keys(optional)].sort());
  for (const field of Object.keys(required).filter((name) => !['createdOn', 'id', 'state'].includes(name))) {
    expect(() => createIncomingEvent({ ...WHOLE, [field]: undefined })).toThrow(`${field} must be `);
  }
});

test('an event keeps what it is given, createdOn as a Date', () => {
  expect(createIncomingEvent(WHOLE)).toStrictEqual({ ...WHOLE, createdOn: new Date('2026-01-31T12:00:00Z') });
});

test('id, createdOn and state are made where they are not given; other fields that are not given are missing', () => {
  const before = Date.now();
  const event = createIncomingEvent({ ...LEAST, conversationId: undefined, tags: { user: undefined } });
  expect(event).toStrictEqual({
    ...LEAST,
    id: expect.stringMatching(UUID),
    createdOn: expect.any(Date),
    state: {},
    tags: {},
  });
  expect(event.createdOn.getTime()).toBeGreaterThanOrEqual(before);
  expect(event.createdOn.getTime()).toBeLessThanOrEqual(Date.now());
  expect(createIncomingEvent(LEAST).id).not.toBe(event.id);
});

test('fields that the interface has not are left out, but not of payload, state, tags and knowledge bases', () => {
  const internal = { flags: 1 };
  const given = {
    ...LEAST,
    internal,
    payload: { internal },
    state: { internal },
    tags: { user: { internal }, internal },
    kb: { included: [{ name: 'docs', internal }], internal },
  };
  expect(createIncomingEvent(given)).toMatchObject({ payload: { internal }, state: { internal } });
  const { internal: none, tags, kb } = createIncomingEvent(given) as IncomingEvent & { internal?: unknown };
  expect({ none, tags, kb }).toStrictEqual({
    none: undefined,
    tags: { user: { internal } },
    kb: { included: [{ name: 'docs', internal }] },
  });
});

test('a createdOn that is given is copied', () => {
  const createdOn = new Date('2026-01-31T12:00:00Z');
  const event = createIncomingEvent({ ...LEAST, createdOn });
  createdOn.setFullYear(1999);
  expect(event.createdOn).toEqual(new Date('2026-01-31T12:00:00Z'));
});

const NAME = 'a text, not empty';
const TIME = 'a Date, or date and time by ISO 8601 with Z or an offset, such as 2026-01-31T12:00:00Z';
const TRIGGER = 'an object of the texts flowId and nodeId, and conversationId, eventName, integration, userId if known';
const KB =
  'an object of the list included of { name, tags? } and the list results of { dsFriendlyName, content, score, key }';

test.each([
  [{ botId: undefined }, `botId must be ${NAME}; it is missing.`],
  [{ botId: '' }, `botId must be ${NAME}; it is "".`],
  [{ id: 5 }, `id must be ${NAME}; it is 5.`],
  [{ userId: null }, `userId must be ${NAME}; it is null.`],
  [{ type: ['text'] }, `type must be ${NAME}; it is [ 'text' ].`],
  [{ direction: 'both' }, 'direction must be incoming or outgoing; it is "both".'],
  [{ preview: undefined }, 'preview must be a text; it is missing.'],
  [{ payload: undefined }, 'payload must be a plain object; it is missing.'],
  [{ payload: [] }, 'payload must be a plain object; it is [].'],
  [{ payload: new URLSearchParams('a=1') }, "payload must be a plain object; it is URLSearchParams { 'a' => '1' }."],
  [{ state: 'new' }, 'state must be a plain object; it is "new".'],
  [
    { tags: { user: 'vip' } },
    `tags must be an object of the plain objects conversation, message and user; it is { user: 'vip' }.`,
  ],
  [{ trigger: { flowId: 'f' } }, `trigger must be ${TRIGGER}; it is { flowId: 'f' }.`],
  [{ kb: { results: [] } }, `kb must be ${KB}; it is { results: [] }.`],
  [{ createdOn: new Date(Number.NaN) }, `createdOn must be ${TIME}; it is Invalid Date.`],
  [{ createdOn: '2026-02-30T12:00:00Z' }, `createdOn must be ${TIME}; it is "2026-02-30T12:00:00Z".`],
  [{ createdOn: '2026-01-31T12:00:00' }, `createdOn must be ${TIME}; it is "2026-01-31T12:00:00".`],
  [{ createdOn: 1769860800000 }, `createdOn must be ${TIME}; it is 1769860800000.`],
])('%o is told by its field, what it must be and what it is', (fields, said) => {
  const given = { ...LEAST, ...fields } as unknown as IncomingEventInput;
  expect(() => createIncomingEvent(given)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message: said }),
  );
});

test.each([undefined, null, 'event', [], new Map()])('%o is no event', (given) => {
  expect(() => createIncomingEvent(given as unknown as IncomingEventInput)).toThrow(
    'An event is made from a plain object that has at least botId, direction, payload, preview and type.',
  );
});

import { expect, test } from 'vitest';
import { createIncomingEvent, type IncomingEvent, type IncomingEventInput } from 'waymark';
import { REQUIRED } from './events.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const COMPLETE: IncomingEventInput = {
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

type RequiredKeys<T> = { [Field in keyof T]-?: Record<string, never> extends Pick<T, Field> ? never : Field }[keyof T];

test('an event has exactly the required and optional fields of the specification', () => {
  // An extra or a missing field does not compile.
  const required: Record<RequiredKeys<IncomingEvent>, true> = {
    botId: true,
    createdOn: true,
    direction: true,
    id: true,
    payload: true,
    preview: true,
    state: true,
    type: true,
  };
  const optional: Record<Exclude<keyof IncomingEvent, RequiredKeys<IncomingEvent>>, true> = {
    conversationId: true,
    integration: true,
    kb: true,
    messageId: true,
    tags: true,
    trigger: true,
    userId: true,
  };
  expect(Object.keys(COMPLETE).sort()).toEqual([...Object.keys(required), ...Object.keys(optional)].sort());
  for (const field of Object.keys(required).filter((name) => !['createdOn', 'id', 'state'].includes(name))) {
    expect(() => createIncomingEvent({ ...COMPLETE, [field]: undefined })).toThrow(`${field} must be `);
  }
});

test('an event keeps all fields of the input, with createdOn as a Date', () => {
  expect(createIncomingEvent(COMPLETE)).toStrictEqual({ ...COMPLETE, createdOn: new Date('2026-01-31T12:00:00Z') });
});

test('id, createdOn and state have defaults; other fields that are not given are absent', () => {
  const before = Date.now();
  const event = createIncomingEvent({ ...REQUIRED, conversationId: undefined, tags: { user: undefined } });
  expect(event).toStrictEqual({
    ...REQUIRED,
    id: expect.stringMatching(UUID),
    createdOn: expect.any(Date),
    state: {},
    tags: {},
  });
  expect(event.createdOn.getTime()).toBeGreaterThanOrEqual(before);
  expect(event.createdOn.getTime()).toBeLessThanOrEqual(Date.now());
  expect(createIncomingEvent(REQUIRED).id).not.toBe(event.id);
});

test('unknown fields are omitted, except within payload, state, tags and knowledge bases', () => {
  const internal = { flags: 1 };
  const given = {
    ...REQUIRED,
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

test('null is an absent value, at the top and in the parts of an event', () => {
  const absent = { conversationId: null, integration: null, messageId: null, userId: null };
  const trigger = { conversationId: null, eventName: null, flowId: 'f', integration: null, nodeId: 'n', userId: null };
  const given = { ...REQUIRED, ...absent, id: null, createdOn: null, state: null, kb: null, tags: null, trigger };
  expect(createIncomingEvent({ ...given, payload: { quoted: null } })).toStrictEqual({
    ...REQUIRED,
    id: expect.stringMatching(UUID),
    createdOn: expect.any(Date),
    state: {},
    payload: { quoted: null },
    trigger: { flowId: 'f', nodeId: 'n' },
  });
  const parts = { ...REQUIRED, tags: { user: null, message: {} }, kb: { included: [{ name: 'docs' }], results: null } };
  const { tags, kb } = createIncomingEvent({ ...parts, trigger: null });
  expect({ tags, kb }).toStrictEqual({ tags: { message: {} }, kb: { included: [{ name: 'docs' }] } });
});

test('knowledge is taken as a platform gives it: without names, scores and keys, with further fields', () => {
  const included = [{ id: 'kb-1' }, { name: 'docs', id: 'kb-2', tags: null }];
  const results = [
    { dsFriendlyName: 'Apples', content: 'Red.', source: { url: null }, page: null },
    { dsFriendlyName: 'Pears', content: 'Green.', score: null, key: null },
  ];
  const { kb } = createIncomingEvent({ ...REQUIRED, kb: { included, results } } as unknown as IncomingEventInput);
  expect(kb).toStrictEqual({
    included,
    results: [
      { dsFriendlyName: 'Apples', content: 'Red.', source: { url: null }, page: null },
      { dsFriendlyName: 'Pears', content: 'Green.' },
    ],
  });
});

test('a knowledge base without a name may have null for it', () => {
  const included = [{ name: null, id: 'kb-1' }];
  const { kb } = createIncomingEvent({ ...REQUIRED, kb: { included } } as unknown as IncomingEventInput);
  expect(kb).toStrictEqual({ included: [{ id: 'kb-1' }] });
});

test('createdOn is copied', () => {
  const createdOn = new Date('2026-01-31T12:00:00Z');
  const event = createIncomingEvent({ ...REQUIRED, createdOn });
  createdOn.setFullYear(1999);
  expect(event.createdOn).toEqual(new Date('2026-01-31T12:00:00Z'));
});

const NAME = 'a non-empty string';
const TIME = 'a Date, or an ISO 8601 date and time with Z or an offset, such as 2026-01-31T12:00:00Z';
const TRIGGER = 'an object { flowId, nodeId, conversationId?, eventName?, integration?, userId? } of non-empty strings';
const KB = 'an object { included: [{ name? }], results?: [{ dsFriendlyName, content, score?, key? }] }';

test.each([
  [{ botId: undefined }, `botId must be ${NAME}; it is missing.`],
  [{ botId: '' }, `botId must be ${NAME}; it is "".`],
  [{ id: 5 }, `id must be ${NAME}; it is 5.`],
  [{ type: null }, `type must be ${NAME}; it is missing.`],
  [
    { kb: { included: [], results: [{ dsFriendlyName: 'A' }] } },
    `kb must be ${KB}; it is { included: [], results: [ { dsFriendlyName: 'A' } ] }.`,
  ],
  [{ type: ['text'] }, `type must be ${NAME}; it is [ 'text' ].`],
  [{ direction: 'both' }, 'direction must be incoming or outgoing; it is "both".'],
  [{ preview: undefined }, 'preview must be a string; it is missing.'],
  [{ payload: undefined }, 'payload must be a plain object; it is missing.'],
  [{ payload: [] }, 'payload must be a plain object; it is [].'],
  [{ payload: new URLSearchParams('a=1') }, "payload must be a plain object; it is URLSearchParams { 'a' => '1' }."],
  [{ state: 'new' }, 'state must be a plain object; it is "new".'],
  [{ tags: { user: 'vip' } }, 'tags.user must be a plain object; it is "vip".'],
  [{ trigger: { flowId: 'f' } }, `trigger must be ${TRIGGER}; it is { flowId: 'f' }.`],
  [{ kb: { results: [] } }, `kb must be ${KB}; it is { results: [] }.`],
  [{ createdOn: new Date(Number.NaN) }, `createdOn must be ${TIME}; it is Invalid Date.`],
  [{ createdOn: '2026-02-30T12:00:00Z' }, `createdOn must be ${TIME}; it is "2026-02-30T12:00:00Z".`],
  [{ createdOn: '2026-01-31T12:00:00' }, `createdOn must be ${TIME}; it is "2026-01-31T12:00:00".`],
  [{ createdOn: 1769860800000 }, `createdOn must be ${TIME}; it is 1769860800000.`],
])('%o is an error with the field, what it must be and what it is', (fields, message) => {
  const given = { ...REQUIRED, ...fields } as unknown as IncomingEventInput;
  expect(() => createIncomingEvent(given)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', message }));
});

test.each([undefined, null, 'event', [], new Map()])('%o is not an event', (given) => {
  expect(() => createIncomingEvent(given as unknown as IncomingEventInput)).toThrow(
    'An event must be a plain object with at least botId, direction, payload, preview and type.',
  );
});

import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIncomingEvent } from 'waymark';
import { REQUIRED } from './events.js';

/** Every array, object and Date in a value, including the value itself. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));

test('an event is deeply frozen and shares no object with the input', () => {
  fc.assert(
    fc.property(data, data, (payload, state) => {
      const given = { ...REQUIRED, payload, state, createdOn: new Date(0) };
      const before = JSON.stringify(given);
      const event = createIncomingEvent(given);
      expect({ ...event.payload }).toEqual({ ...payload });
      const inputObjects = new Set(objectsIn(given));
      for (const object of objectsIn(event)) {
        expect(Object.isFrozen(object)).toBe(true);
        expect(inputObjects.has(object)).toBe(false);
      }
      for (const object of inputObjects) expect(Object.isExtensible(object)).toBe(true);
      expect(JSON.stringify(given)).toBe(before);
    }),
  );
});

test('changing a field, an array or a Date of an event throws', () => {
  const event = createIncomingEvent({ ...REQUIRED, payload: { list: [1], due: new Date(0) } });
  const open = event as unknown as { preview: string; payload: { list: number[]; due: Date } };
  expect(() => Object.assign(open, { preview: '' })).toThrow(TypeError);
  expect(() => open.payload.list.push(2)).toThrow(TypeError);
  for (const date of [event.createdOn, open.payload.due]) {
    expect(() => date.setTime(0)).toThrow('A Date of an event is read-only: change a copy');
    expect(() => date.setUTCHours(0)).toThrow(TypeError);
    expect(new Date(date).setTime(1)).toBe(1);
  }
  expect(open.payload.due.toISOString()).toBe('1970-01-01T00:00:00.000Z');
});

test('a field named __proto__ is data like any other', () => {
  const payload = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}');
  const event = createIncomingEvent({ ...REQUIRED, payload });
  expect(JSON.stringify(event.payload)).toBe('{"__proto__":{"admin":true},"constructor":1}');
  expect((event.payload as { admin?: boolean }).admin).toBeUndefined();
});

test('data of another realm is accepted', () => {
  const payload = vm.runInNewContext('({ list: [{ at: new Date(0) }] })');
  expect(createIncomingEvent({ ...REQUIRED, payload }).payload).toEqual({ list: [{ at: new Date(0) }] });
});

const containsItself: Record<string, unknown> = {};
containsItself.again = { and: [containsItself] };
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);

test.each([
  [{ run: () => 1 }, 'payload.run must be data (', 'it is [Function: run].'],
  [{ list: [0, { seen: new Set([1]) }] }, 'payload.list[1].seen must be data (', 'it is Set(1) { 1 }.'],
  [{ key: Symbol('key') }, 'payload.key must be data (', 'it is Symbol(key).'],
  [
    containsItself,
    'payload.again.and[0].again.and[0]',
    '… is nested more than 1000 levels deep: flatten it, and remove references to itself.',
  ],
  [
    { deep },
    'payload.deep[0][0]',
    '… is nested more than 1000 levels deep: flatten it, and remove references to itself.',
  ],
])('a value that is not data is an error with its path', (payload, begin, end) => {
  let message = '';
  try {
    createIncomingEvent({ ...REQUIRED, payload });
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.startsWith(begin)).toBe(true);
  expect(message.endsWith(end)).toBe(true);
});

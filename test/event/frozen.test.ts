import vm from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIncomingEvent } from 'waymark';
import { LEAST } from './events.js';

/** Every list, object and Date in a value, itself too. */
function* objectsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));

test('an event is frozen to its last list, and shares nothing with what was given', () => {
  fc.assert(
    fc.property(data, data, (payload, state) => {
      const given = { ...LEAST, payload, state, createdOn: new Date(0) };
      const before = JSON.stringify(given);
      const event = createIncomingEvent(given);
      expect({ ...event.payload }).toEqual({ ...payload });
      const theirs = new Set(objectsIn(given));
      for (const object of objectsIn(event)) {
        expect(Object.isFrozen(object)).toBe(true);
        expect(theirs.has(object)).toBe(false);
      }
      for (const object of theirs) expect(Object.isExtensible(object)).toBe(true);
      expect(JSON.stringify(given)).toBe(before);
    }),
  );
});

test('setting a field, a list or a Date of an event throws', () => {
  const event = createIncomingEvent({ ...LEAST, payload: { list: [1], due: new Date(0) } });
  const open = event as unknown as { preview: string; payload: { list: number[]; due: Date } };
  expect(() => Object.assign(open, { preview: '' })).toThrow(TypeError);
  expect(() => open.payload.list.push(2)).toThrow(TypeError);
  for (const date of [event.createdOn, open.payload.due]) {
    expect(() => date.setTime(0)).toThrow('A Date of an event cannot be changed: change a copy');
    expect(() => date.setUTCHours(0)).toThrow(TypeError);
    expect(new Date(date).setTime(1)).toBe(1);
  }
  expect(open.payload.due.toISOString()).toBe('1970-01-01T00:00:00.000Z');
});

test('a field of the name __proto__ is data like any other', () => {
  const payload = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}');
  const event = createIncomingEvent({ ...LEAST, payload });
  expect(JSON.stringify(event.payload)).toBe('{"__proto__":{"admin":true},"constructor":1}');
  expect((event.payload as { admin?: boolean }).admin).toBeUndefined();
});

test('data made in another realm is data', () => {
  const payload = vm.runInNewContext('({ list: [{ at: new Date(0) }] })');
  expect(createIncomingEvent({ ...LEAST, payload }).payload).toEqual({ list: [{ at: new Date(0) }] });
});

const containsItself: Record<string, unknown> = {};
containsItself.again = { and: [containsItself] };
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);

test.each([
  [{ run: () => 1 }, 'payload.run must be data: ', 'it is [Function: run].'],
  [{ list: [0, { seen: new Set([1]) }] }, 'payload.list[1].seen must be data: ', 'it is Set(1) { 1 }.'],
  [{ key: Symbol('key') }, 'payload.key must be data: ', 'it is Symbol(key).'],
  [
    containsItself,
    'payload.again.and[0].again.and[0]',
    '… must be nested at most 1000 deep, and must not contain itself.',
  ],
  [{ deep }, 'payload.deep[0][0]', '… must be nested at most 1000 deep, and must not contain itself.'],
])('what is no data is told by its path', (payload, begin, end) => {
  let said = '';
  try {
    createIncomingEvent({ ...LEAST, payload });
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said.startsWith(begin)).toBe(true);
  expect(said.endsWith(end)).toBe(true);
});

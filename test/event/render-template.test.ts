import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIncomingEvent, renderTemplate } from 'waymark';
import { REQUIRED } from './events.js';

const event = createIncomingEvent({
  ...REQUIRED,
  createdOn: '2026-01-31T12:00:00Z',
  payload: { count: 3, open: false, none: null, list: ['a', { b: [1, null] }], when: new Date(0), big: 10n },
  tags: { user: { 'crm:customer-id': 'c/7' } },
  kb: {
    included: [{ name: 'docs' }],
    results: [
      { dsFriendlyName: 'Apples', content: 'Apples are {{red}}.', score: 0.5, key: 'a.md' },
      { dsFriendlyName: 'Pears', content: 'Pears are green.', score: 0.25, key: 'p.md' },
    ],
  },
});

test.each([
  ['no braces', 'no braces'],
  ['', ''],
  ['You asked: {{event.preview}}', 'You asked: Where do apples grow?'],
  ['{{ event.type }}/{{\n\tevent.botId\n}}', 'text/bot-1'],
  ['{{event.kb.results.1.content}}', 'Pears are green.'],
  ['{{event.kb.results[1].content}}', 'Pears are green.'],
  ['{{event.kb.results.length}}', '2'],
  ['{{event.tags.user.crm:customer-id}}', 'c/7'],
  ['{{event.payload.count}} {{event.payload.open}} {{event.payload.big}}', '3 false 10'],
  ['{{event.createdOn}}', '2026-01-31T12:00:00.000Z'],
  ['{{event.payload.list}}', '["a",{"b":[1,null]}]'],
  [
    '{{event.payload}}',
    '{"count":3,"open":false,"none":null,"list":["a",{"b":[1,null]}],"when":"1970-01-01T00:00:00.000Z","big":"10"}',
  ],
  ['{"asked": {"as": {{event.tags}}}}', '{"asked": {"as": {"user":{"crm:customer-id":"c/7"}}}}'],
])('%s renders as %s', (template, text) => {
  expect(renderTemplate(template, { event })).toBe(text);
});

test.each([
  'event.userId',
  'event.payload.none',
  'event.kb.results.2.content',
  'event.preview.length',
  'event.createdOn.setTime',
  'nothing.at.all',
  '__proto__',
  'constructor',
  'event.__proto__.toString',
  'event.constructor.constructor',
  'event.kb.results.map',
  'event.payload.hasOwnProperty',
])('{{%s}} is missing and renders as the empty string', (path) => {
  expect(renderTemplate(`<{{${path}}}>`, { event })).toBe('<>');
});

test('own properties with those names are data, and getters are not called', () => {
  const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": "own"}');
  Object.defineProperty(data, 'lazy', { enumerable: true, get: () => 'called' });
  expect(renderTemplate('{{__proto__.a}} {{constructor}} {{lazy}}', data)).toBe('1 own ');
});

test('braces in a value are not expanded', () => {
  expect(renderTemplate('{{event.kb.results[0].content}}', { event, red: 'green' })).toBe('Apples are {{red}}.');
});

test.each([
  ['\\{{event.type}}', '{{event.type}}'],
  ['\\\\{{event.type}}', '\\text'],
  ['\\\\\\{{event.type}}', '\\{{event.type}}'],
  ['\\{{{event.type}}', '{{{event.type}}'],
  ['\\ {event} }} \\}}', '\\ {event} }} \\}}'],
])('%s renders as %s: a backslash escapes braces', (template, text) => {
  expect(renderTemplate(template, { event })).toBe(text);
});

const ESCAPE = 'write \\{{ for literal braces.';

test.each([
  ['Hi {{event.type', `The template does not close the {{ at character 4: close it with }}, or ${ESCAPE}`],
  ['{{}}', `{{}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`],
  [
    '{{event.type()}}',
    `{{event.type()}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`,
  ],
  ['{{ a + b }}', `{{a + b}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`],
  [
    '{{{event.type}}}',
    `{{{event.type}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`,
  ],
  [
    '{{event..type}}',
    `{{event..type}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`,
  ],
  [
    '{{event.kb.results[-1]}}',
    `{{event.kb.results[-1]}} in the template is not a path such as {{event.preview}}: correct it, or ${ESCAPE}`,
  ],
])('%s is an error', (template, message) => {
  expect(() => renderTemplate(template, { event })).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', message }),
  );
});

test('a value that is not data is an error', () => {
  expect(() => renderTemplate('{{run}}', { run: () => 1 })).toThrow('run must be data (');
  expect(() => renderTemplate('{{all}}', { all: { toJSON: () => 'called' } })).toThrow('all.toJSON must be data (');
  expect(() => renderTemplate(5 as unknown as string, {})).toThrow('template must be a string; it is 5.');
  expect(() => renderTemplate('', null as unknown as object)).toThrow(
    'data must be an object with the names that the template uses, such as { event }; it is null.',
  );
});

test('any text with its braces and the backslashes before them escaped renders as itself', () => {
  const text = fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', '.', ' ', '\u{1F34E}') });
  fc.assert(
    fc.property(text, (given) => {
      const escaped = given.replace(/(\\*)\{\{/g, '$1$1\\{{');
      expect(renderTemplate(escaped, {})).toBe(given);
    }),
  );
});

test('a megabyte of braces, paths or backslashes renders or is an error', () => {
  const size = 2 ** 20;
  expect(() => renderTemplate('{{'.repeat(size / 2), {})).toThrow('character 1:');
  expect(() => renderTemplate(`${'{{'.repeat(size / 2)}}}`, {})).toThrow('is not a path');
  expect(() => renderTemplate(`{{${' '.repeat(size)}`, {})).toThrow('character 1:');
  expect(() => renderTemplate(`{{${'a.'.repeat(size / 2)}}}`, {})).toThrow('is not a path');
  expect(renderTemplate(`{{a${'.a'.repeat(size / 2)}}}`, {})).toBe('');
  expect(renderTemplate(`{{a${'[0]'.repeat(size / 3)}}}`, {})).toBe('');
  expect(renderTemplate('{{a}}'.repeat(size / 5), { a: 'b' })).toHaveLength(Math.floor(size / 5));
  expect(renderTemplate(`${'\\'.repeat(size)}{{a}}`, { a: 'b' })).toHaveLength(size / 2 + 1);
  expect(renderTemplate('}}'.repeat(size / 2), {})).toHaveLength(size);
});

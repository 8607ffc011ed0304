import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { jsonSchemaOf } from '#src/contract/json-schema.js';
import type { Operation } from '#src/contract/operation.js';
import { uploadFile } from '#src/contract/operations/files.js';
import { OPERATIONS } from '#src/contract/operations/index.js';

const ALL: readonly Operation[] = [...Object.values(OPERATIONS), uploadFile];

function compile(schema: object): void {
  const ajv = new Ajv2020({ strictSchema: false });
  addFormats.default(ajv);
  ajv.compile(schema);
}

test.each(Object.entries(OPERATIONS))('%s is listed under its id', (id, operation) => {
  expect(operation.id).toBe(id);
});

test.each(ALL)('the request of $id is a JSON Schema whose fields are described', ({ request }) => {
  const schema = jsonSchemaOf(request);
  const properties = Object.entries(schema.properties as Record<string, { description?: string }>);
  expect(schema.type).toBe('object');
  for (const [name, { description }] of properties) expect([name, description]).toEqual([name, expect.any(String)]);
  expect(() => compile(schema)).not.toThrow();
});

test.each(ALL)('the response of $id is a JSON Schema', ({ response }) => {
  expect(() => compile(jsonSchemaOf(response, 'output'))).not.toThrow();
});

test('the JSON Schema of searchFiles has every field with its type, range, default and description', () => {
  const values = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  const exists = { type: 'boolean' };
  expect(jsonSchemaOf(OPERATIONS.searchFiles.request)).toEqual({
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        description: 'What to look for, in natural language. A non-empty string of at most 2048 bytes.',
      },
      contextDepth: {
        type: 'integer',
        minimum: 0,
        maximum: 10,
        default: 1,
        description:
          'How many neighbouring passages before and after each match its content includes. An integer from 0 to 10.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 50,
        default: 20,
        description: 'The maximum number of passages or, with `consolidate`, of files. An integer from 1 to 50.',
      },
      consolidate: { type: 'boolean', default: false, description: expect.any(String) },
      perFile: { type: 'integer', minimum: 1, maximum: 50, description: expect.any(String) },
      includeBreadcrumb: { type: 'boolean', default: false, description: expect.any(String) },
      withContext: { type: 'boolean', default: false, description: expect.any(String) },
      tags: {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: {
          anyOf: [
            values,
            {
              type: 'object',
              properties: {
                in: values,
                not: {
                  anyOf: [values, { type: 'object', properties: { in: values, exists }, additionalProperties: false }],
                },
                exists,
              },
              additionalProperties: false,
            },
          ],
          description: 'a value, a list of values, or an object of the operators in, not and exists',
        },
        description:
          'Searches only files with these tags; all conditions must hold. An object of tag names to a value, a list of values, or an object of the operators in, not and exists.',
      },
      path: {
        anyOf: [
          { type: 'string', minLength: 1 },
          { type: 'array', items: { type: 'string', minLength: 1 } },
        ],
        description: expect.any(String),
      },
      mode: { type: 'string', enum: ['hybrid', 'dense', 'lexical'], description: expect.any(String) },
      minScore: { type: 'number', minimum: 0, maximum: 1, description: expect.any(String) },
      explain: { type: 'boolean', description: expect.any(String) },
      positions: { type: 'boolean', description: expect.any(String) },
      highlight: { type: 'boolean', description: expect.any(String) },
    },
    required: ['query'],
  });
});

test('the JSON Schema of an upload declares its content as a string', () => {
  expect(jsonSchemaOf(uploadFile.request)).toMatchObject({
    properties: { content: { type: 'string' }, index: { type: 'boolean', default: false } },
    required: ['key', 'content'],
  });
});

import { z } from '../domain/zod.js';

/** A JSON Schema object (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a request, or with `output` of a response. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output' = 'input'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

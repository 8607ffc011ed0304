import { z } from 'zod';

export const tagsSchema = z
  .record(z.string().min(1), z.string().max(1000))
  .describe('an object of names to texts of at most 1000 characters');

const values = z.union([z.string(), z.array(z.string())]);

export const tagFilterSchema = z
  .record(z.string(), z.union([values, z.strictObject({ not: values })]))
  .describe('an object of tag names to a value, a list of values, or { not: value or values }');

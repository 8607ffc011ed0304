import { z } from 'zod';

export const nextToken = z.string().optional().describe('a nextToken of an answer before');
export const pageSize = z.int().min(1).max(100).optional().describe('an integer from 1 to 100');
export const sortDirection = z.enum(['asc', 'desc']).optional().describe('asc or desc');

export const metaSchema = z.strictObject({
  nextToken: z.string().optional().describe('asks for the next page; missing on the last'),
});

import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../support/cli/usage-error.js';

/** What a result is compared by: the measures of each query. */
const schema = z.object({
  collection: z.string(),
  date: z.string(),
  commit: z.string().optional(),
  runs: z.array(
    z.object({
      mode: z.string(),
      queries: z.array(z.object({ id: z.string(), measures: z.record(z.string(), z.number()) })),
    }),
  ),
});

/** A result of an earlier run of the quality benchmark. */
export type EarlierResult = z.output<typeof schema>;

/** Throws `UsageError`. */
export function readEarlierResult(file: string): EarlierResult {
  if (!existsSync(file)) throw new UsageError(`There is no result ${file}.`);
  const parsed = schema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file} is not a result of the quality benchmark.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { QualityResult } from '../quality/quality.js';
import { UsageError } from '../usage-error.js';
import type { Origin } from './origin.js';

/** A quality run as it is written. */
export interface ResultFile extends Origin, Omit<QualityResult, 'model'> {
  readonly collection: string;
  readonly settings: { readonly index: string; readonly model: string; readonly limitQueries: number | null };
}

/** What an earlier result is read for: the measures of each query. */
const earlierSchema = z.object({
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

export type EarlierResult = z.output<typeof earlierSchema>;

/** JSON with a line for each query, so that two results can be compared by eye. */
export function writeResult(file: string, result: ResultFile): void {
  const lines: string[] = [];
  const runs = result.runs.map(({ queries, ...run }) => {
    lines.push(`[\n${queries.map((query) => `        ${JSON.stringify(query)}`).join(',\n')}\n      ]`);
    return { ...run, queries: `queries ${lines.length - 1}` };
  });
  const text = JSON.stringify({ ...result, runs }, null, 2);
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  writeFileSync(file, `${text.replace(/"queries (\d+)"/g, (_, i: string) => lines[Number(i)] ?? '[]')}\n`);
}

/** Throws `UsageError`. */
export function readResult(file: string): EarlierResult {
  if (!existsSync(file)) throw new UsageError(`No result at ${file}.`);
  const parsed = earlierSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file} is no result of the quality benchmark.`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

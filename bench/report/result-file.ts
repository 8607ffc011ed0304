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

/** JSON with a line for each item of the lists of that name, so that two results can be compared by eye. */
export function jsonOf(result: object, { lines: name }: { readonly lines: string }): string {
  const lists: string[] = [];
  const inLines = (key: string, value: unknown) => {
    if (key !== name || !Array.isArray(value)) return value;
    lists.push(`[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`);
    return `list ${lists.length - 1}`;
  };
  const text = JSON.stringify(result, inLines, 2);
  return `${text.replace(/"list (\d+)"/g, (_, i: string) => lists[Number(i)] ?? '[]')}\n`;
}

/** Writes a result, and its chart beside it. */
export function writeResult(
  file: string,
  { json, chart }: { readonly json: string; readonly chart: string },
): string[] {
  const { dir, name } = path.parse(path.resolve(file));
  const image = path.join(dir, `${name}.svg`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, json);
  writeFileSync(image, chart);
  return [file, path.relative('', image)];
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

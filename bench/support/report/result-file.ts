import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RESULTS } from '../folders/paths.js';
import { originOf } from './origin.js';
import { log } from './progress.js';

/** Path of a committed result; `undefined` for no name. */
export function resultPath(name: string | undefined): string | undefined {
  return name === undefined ? undefined : path.join(RESULTS, `${name}.json`);
}

export interface ResultToWrite {
  readonly started: Date;
  readonly result: object;
  readonly itemPerLine?: string;
  readonly chart?: string;
}

/** Writes a result with its origin as JSON, and its chart beside it as SVG. Says on stderr where. */
export function writeResult(file: string, { started, result, itemPerLine, chart }: ResultToWrite): void {
  const { dir, name } = path.parse(path.resolve(file));
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, jsonOf({ ...originOf(started), ...result }, { itemPerLine }));
  const svg = path.join(dir, `${name}.svg`);
  if (chart !== undefined) writeFileSync(svg, chart);
  log(`Wrote ${chart === undefined ? file : `${file} and ${svg}`}`);
}

/**
 * Indented JSON, except that each item of the lists of one name takes a single line, so that results can be compared.
 */
export function jsonOf(result: object, { itemPerLine }: { readonly itemPerLine: string | undefined }): string {
  const lists: string[] = [];
  const collapse = (key: string, value: unknown) => {
    if (key !== itemPerLine || !Array.isArray(value)) return value;
    lists.push(`[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]`);
    return `list ${lists.length - 1}`;
  };
  const text = JSON.stringify(result, collapse, 2);
  return `${text.replace(/"list (\d+)"/g, (_, i: string) => lists[Number(i)] ?? '[]')}\n`;
}

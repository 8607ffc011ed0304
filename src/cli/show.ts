import { existsSync } from 'node:fs';
import path from 'node:path';
import colors from 'picocolors';
import type { EngineStatus, FoundPassage } from '../index.js';

/** Lines of a passage that are printed at most, around the sentence that matches best. */
const MOST_LINES = 12;

/** In front of each line of a passage, and of those that hold the sentence that matches best. */
const MARGIN = '    ';
const MARK = '  > ';

/** A found passage for a person: file and lines, score, breadcrumb, text. */
export function show(
  { content, score, meta, file }: FoundPassage,
  { highlight, status }: { highlight: { start: number; end: number } | undefined; status: EngineStatus },
): string {
  const place = `${pathOf(file.key, status)}:${meta.startLine}-${meta.endLine}`;
  const breadcrumb = meta.breadcrumb?.join(' > ');
  return [
    `${colors.bold(colors.cyan(place))}  ${colors.dim(score.toFixed(2))}`,
    ...(breadcrumb ? [colors.dim(breadcrumb)] : []),
    ...linesOf(content, highlight),
  ].join('\n');
}

/** The file's path from here where it is still there, for an editor to open; otherwise its key. */
function pathOf(key: string, { folders, database }: EngineStatus): string {
  for (const { folder } of folders) {
    if (folder === null) continue;
    const file = path.resolve(path.dirname(database), folder, key);
    if (existsSync(file)) return path.relative(process.cwd(), file);
  }
  return key;
}

function linesOf(content: string, highlight: { start: number; end: number } | undefined): string[] {
  const lines: { text: string; marked: boolean }[] = [];
  let start = 0;
  for (const text of content.split('\n')) {
    const end = start + text.length;
    const from = Math.max(start, highlight?.start ?? end);
    const to = Math.min(end, highlight?.end ?? start);
    const marked = from < to;
    const shown = marked
      ? text.slice(0, from - start) + colors.bold(text.slice(from - start, to - start)) + text.slice(to - start)
      : text;
    lines.push({ text: shown.replace(/\r$/, ''), marked });
    start = end + 1;
  }
  const first = lines.findIndex(({ marked }) => marked);
  const from = Math.max(0, Math.min(first - Math.floor(MOST_LINES / 3), lines.length - MOST_LINES));
  const shown = lines
    .slice(from, from + MOST_LINES)
    .map(({ text, marked }) => `${marked ? colors.green(MARK) : MARGIN}${text}`.trimEnd());
  if (from > 0) shown.unshift(`${MARGIN}…`);
  if (from + MOST_LINES < lines.length) shown.push(`${MARGIN}…`);
  return shown;
}

import type { SearchEngine, SearchFilesRequest } from '../../../index.js';
import { printJson, printLines } from '../../output/print.js';
import { markdownOf } from '../../output/results/markdown.js';
import { showPassage } from '../../output/results/passage.js';
import { type Result, shownPath } from '../../output/results/result.js';
import { vimgrepOf } from '../../output/results/vimgrep.js';
import { highlightOf } from './highlight-of.js';
import { isHeading, matchOf } from './match-of.js';
import { shownContent } from './shown-content.js';

/** How results are printed. */
export type Format = 'text' | 'json' | 'jsonl' | 'markdown' | 'vimgrep' | 'files';

interface Printing {
  readonly format: Format;
  readonly engine: SearchEngine;
  /** What was searched for. */
  readonly request: SearchFilesRequest;
}

/** Maximum rows of a passage on a terminal, and of one with the context that was asked for. */
const ROWS = 12;
const ROWS_WITH_CONTEXT = 40;

/** Writes results to stdout. */
export async function printResults(results: readonly Result[], printing: Printing): Promise<void> {
  switch (printing.format) {
    case 'json':
      return printJson({ passages: results }, 2);
    case 'jsonl':
      return results.forEach((result) => {
        printJson(result);
      });
    case 'files':
      return printLines([...new Set(results.map(shownPath))]);
    case 'vimgrep':
      return printLines(await Promise.all(results.map((result) => lineOf(result, printing))));
    default:
      return printTexts(await Promise.all(results.map((result) => textOf(result, printing))));
  }
}

function printTexts(texts: readonly string[]): void {
  if (texts.length > 0) process.stdout.write(`${texts.join('\n\n')}\n`);
}

async function lineOf(result: Result, { engine }: Printing): Promise<string> {
  // A file that is gone since the search has no text: its match has.
  const file = await engine.readFile(result.file.key);
  return vimgrepOf(result, file?.text ?? result.content);
}

async function textOf(found: Result, { format, engine, request }: Printing): Promise<string> {
  // Set for a match that is to be shown without context.
  const plain = request.withContext === true;
  const result = plain ? matchOf(found) : found;
  const before = plain ? 0 : (request.contextDepth ?? 0);
  const after = plain && isHeading(found) ? 1 : before;
  const content = await shownContent(result, { engine, before, after });
  if (format === 'markdown') return markdownOf(result, content);
  const highlight = await highlightOf(result, content, { engine, request });
  return showPassage(result, { content, highlight, rows: plain ? ROWS : ROWS_WITH_CONTEXT });
}

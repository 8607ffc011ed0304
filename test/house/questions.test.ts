import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from 'waymark';
import { readJsonLines } from 'waymark/evaluation';
import { z } from 'zod';
import { folderOf } from '../support/folder.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A question about Waymark, with the words of the documents that answer it: lines would move with every edit. */
const question = z.object({
  query: z.string(),
  gold: z.array(z.object({ file: z.string(), text: z.string() })).min(1),
});

test('thirty questions find their answers among the first three results of the search of the site', async () => {
  const { IGNORE } = await import(path.join(ROOT, 'site/documents.js'));
  const engine = await openEngine({ database: path.join(folderOf(), 'waymark.db') });
  onTestFinished(() => engine.close());
  await engine.indexFolder(ROOT, { ignore: IGNORE });
  const questions = readJsonLines(path.join(ROOT, 'test/house/questions.jsonl'), question).map(({ value }) => value);
  expect(questions).toHaveLength(30);
  const missed: string[] = [];
  for (const { query, gold } of questions) {
    const hits = await engine.search(query, { limit: 3 });
    const found = hits.map(({ file, passage }) => ({ file: file.key, text: inOneLine(passage.content) }));
    const answers = gold.some(({ file, text }) => found.some((hit) => hit.file === file && hit.text.includes(text)));
    if (!answers) missed.push(query);
  }
  expect(missed).toEqual([]);
});

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import loadCounter from '#src/embed/tokenizer.js';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import parseMdx from '#src/formats/markdown/parse-mdx.js';
import { times } from '../../reliability/torture.js';
import { violations } from './invariants.js';

const countTokens = await loadCounter(path.resolve('models/bge-small-en-v1.5'));
const limits = { budget: 192, embedBreadcrumb: true, maxTokens: 512, countTokens };

function markdownIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.mdx?$/.test(name)).map((name) => path.join(folder, name));
}

test('the corpus keeps the invariants, without a warning', () => {
  const files = markdownIn('corpus');
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const parsed = parseMarkdown(text, limits);
    expect(parsed.passages, file).not.toEqual([]);
    expect([...parsed.warnings, ...violations(text, parsed, limits)], file).toEqual([]);
  }
});

const shared = '../shared/eval/docs/docs';
const missing = existsSync(shared) ? '' : ` (skipped: no ${shared})`;

describe.skipIf(missing)(`real documentation${missing}`, () => {
  test.each(existsSync(shared) ? readdirSync(shared).filter((name) => !path.extname(name)) : [])(
    '%s keeps the invariants',
    (project) => {
      // The short form reads every fourth file.
      const files = markdownIn(path.join(shared, project)).sort();
      for (const file of files.filter((_, i) => i % times(4, 1) === 0)) {
        const text = readFileSync(file, 'utf8');
        const mdx = file.endsWith('.mdx');
        const parsed = (mdx ? parseMdx : parseMarkdown)(text, limits);
        expect([...parsed.warnings, ...violations(text, parsed, { ...limits, mdx })], file).toEqual([]);
      }
    },
  );
});

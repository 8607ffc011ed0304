import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import loadCounter from '#src/embed/tokenizer.js';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import parseMdx from '#src/formats/markdown/parse-mdx.js';
import type { CutPassage } from '../../../bench/passages/cut-files.js';
import { judge } from '../../../bench/passages/faults.js';
import { times } from '../../reliability/torture.js';
import { violations } from './invariants.js';

const countTokens = await loadCounter(path.resolve('models/waymark-docs-small-en'));
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
  const projects = missing ? [] : readdirSync(shared).filter((name) => !path.extname(name));

  /** The files of each project, parsed once; the short form reads every fourth. */
  const parsedFiles = new Map<string, ReturnType<typeof parseFilesOf>>();

  function parsedFilesOf(project: string) {
    const parsed = parsedFiles.get(project) ?? parseFilesOf(project);
    parsedFiles.set(project, parsed);
    return parsed;
  }

  function parseFilesOf(project: string) {
    const files = markdownIn(path.join(shared, project)).sort();
    return files
      .filter((_, i) => i % times(4, 1) === 0)
      .map((file) => {
        const text = readFileSync(file, 'utf8');
        const mdx = file.endsWith('.mdx');
        return { file, text, mdx, parsed: (mdx ? parseMdx : parseMarkdown)(text, limits) };
      });
  }

  test.each(projects)('%s keeps the invariants', (project) => {
    for (const { file, text, mdx, parsed } of parsedFilesOf(project)) {
      expect([...parsed.warnings, ...violations(text, parsed, { ...limits, mdx })], file).toEqual([]);
    }
  });

  // The benchmark's own judges share no code with the parser.
  test.each(projects)(
    'passages of %s have balanced fences, and no mark that a reader does not see is embedded',
    async (project) => {
      const files = parsedFilesOf(project).map(({ file, text, parsed }) => ({
        key: file,
        text,
        passages: parsed.passages.map((passage) => {
          const content = text.slice(passage.start, passage.end);
          const display = `${passage.opening ?? ''}${content}${passage.closing ?? ''}`;
          return { ...passage, id: '', content, display, embedded: passage.text } as CutPassage;
        }),
      }));
      const { unclosed, inverted, marks, nothing } = await judge(files, {
        countTokens: async (text) => countTokens(text),
      });
      expect({ unclosed, inverted, marks, nothing }).toEqual({ unclosed: [], inverted: [], marks: [], nothing: [] });
    },
  );
});

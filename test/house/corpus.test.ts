import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const CORPUS = fileURLToPath(new URL('../../corpus/', import.meta.url));

const KINDS = ['paraphrase', 'question', 'identifier', 'breadcrumb', 'multi', 'unanswerable'] as const;

const question = z.strictObject({
  id: z.string().min(1),
  corpus: z.literal('fernpost'),
  type: z.enum(KINDS),
  query: z.string().trim().min(1),
  gold: z.array(z.strictObject({ file: z.string(), startLine: z.int().min(1), endLine: z.int() })),
});

const lines = readFileSync(path.join(CORPUS, 'queries.jsonl'), 'utf8').trimEnd().split('\n');
const questions = lines.map((line) => question.parse(JSON.parse(line)));

test('the corpus has at least 40 markdown files in several folders, and 150 KB', () => {
  const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file));
  expect(files.length).toBeGreaterThanOrEqual(40);
  expect(new Set(files.map((file) => path.dirname(file))).size).toBeGreaterThanOrEqual(5);
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(CORPUS, file)).size, 0);
  expect(bytes).toBeGreaterThanOrEqual(150_000);
});

test('the corpus has a file with CRLF, and one with many letters that are not Latin', () => {
  const texts = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.mdx?$/.test(file))
    .map((file) => readFileSync(path.join(CORPUS, file), 'utf8'));
  expect(texts.some((text) => text.includes('\r\n') && !/(?<!\r)\n/.test(text))).toBe(true);
  expect(texts.some((text) => (text.match(/\p{Script=Han}|\p{Script=Cyrillic}/gu)?.length ?? 0) > 500)).toBe(true);
});

test('the corpus has at least 120 questions, of all six kinds, each with an id of its own', () => {
  expect(questions.length).toBeGreaterThanOrEqual(120);
  expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(KINDS));
  expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
});

test('every answer is 1 to 40 lines of an existing file, and is not blank', () => {
  for (const { id, gold } of questions) {
    for (const { file, startLine, endLine } of gold) {
      expect(existsSync(path.join(CORPUS, file)), `${id}: ${file}`).toBe(true);
      const text = readFileSync(path.join(CORPUS, file), 'utf8').split(/\r\n|\n/);
      expect(endLine - startLine + 1, id).toBeGreaterThanOrEqual(1);
      expect(endLine - startLine + 1, id).toBeLessThanOrEqual(40);
      expect(endLine, id).toBeLessThanOrEqual(text.length);
      expect(
        text
          .slice(startLine - 1, endLine)
          .join('')
          .trim(),
        id,
      ).not.toBe('');
    }
  }
});

test('only unanswerable questions have no answer; the answers of one that needs several are in one file', () => {
  for (const { id, type, gold } of questions) {
    expect(gold.length === 0, id).toBe(type === 'unanswerable');
    if (type === 'multi') {
      expect(gold.length, id).toBeGreaterThan(1);
      expect(new Set(gold.map(({ file }) => file)).size, id).toBe(1);
    }
  }
});

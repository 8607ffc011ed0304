import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readQuestions } from 'waymark/evaluation';
import { folderOf } from '../support/folder.js';

function fileOf(text: string): string {
  return path.join(folderOf({ 'q.jsonl': text }), 'q.jsonl');
}

const SPAN = '{"file": "a.md", "startLine": 3, "endLine": 9}';
const GOLD = `"gold": [${SPAN}]`;

describe('questions', () => {
  it('are read one per line, with defaults for missing fields', () => {
    const file = fileOf(
      [
        `\ufeff{"query": "How?", ${GOLD}}\r`,
        '',
        '{"query": "Why?", "gold": []}',
        `{"id": "x", "corpus": "c", "type": "multi", "query": "Which?", ${GOLD}, "note": "ignored"}`,
        '',
      ].join('\n'),
    );
    const spans = [{ file: 'a.md', startLine: 3, endLine: 9 }];
    expect(readQuestions(file)).toEqual([
      { id: '1', type: 'question', text: 'How?', spans },
      { id: '3', type: 'unanswerable', text: 'Why?', spans: [] },
      { id: 'x', corpus: 'c', type: 'multi', text: 'Which?', spans },
    ]);
  });

  it.each([
    ['malformed JSON', '{', ' line 1 must be a JSON object with query and gold.'],
    ['a number in place of an object', '3', ' line 1 must be a JSON object with query and gold.'],
    ['no query', `{${GOLD}}`, ' line 1: query must be '],
    ['a blank query', `\n{"query": " ", ${GOLD}}`, ' line 2: query must be '],
    ['a query that is too long', `{"query": "${'a'.repeat(2049)}", ${GOLD}}`, ' line 1: query must be '],
    [
      'no gold',
      '{"query": "a"}',
      ' line 1: gold must be a list of { file, startLine, endLine }, empty for an unanswerable question.',
    ],
    [
      'a string in place of a span',
      '{"query": "a", "gold": ["a.md"]}',
      ' line 1: gold[0] must be { file, startLine, endLine }.',
    ],
    [
      'a line 0',
      `{"query": "a", "gold": [${SPAN.replace('3', '0')}]}`,
      ' line 1: gold[0].startLine must be a positive integer.',
    ],
    [
      'a fractional line',
      `{"query": "a", "gold": [${SPAN.replace('3', '3.5')}]}`,
      ' line 1: gold[0].startLine must be a positive integer.',
    ],
    [
      'endLine before startLine',
      `{"query": "a", "gold": [${SPAN.replace('9', '2')}]}`,
      ' line 1: gold[0].endLine must not be less than startLine.',
    ],
    [
      'no file',
      `{"query": "a", "gold": [${SPAN.replace('a.md', '')}]}`,
      ' line 1: gold[0].file must be a non-empty string.',
    ],
    ['a number as id', `{"id": 1, "query": "a", ${GOLD}}`, ' line 1: id must be a non-empty string.'],
    [
      'the type of the row of all questions',
      `{"type": "all", "query": "a", ${GOLD}}`,
      ' line 1: type must be a non-empty string, and not "all", which stands for all types.',
    ],
    [
      'gold for an unanswerable question',
      `{"type": "unanswerable", "query": "a", ${GOLD}}`,
      ' line 1: gold must be empty if type is unanswerable: remove its lines, or give another type.',
    ],
    [
      'no gold for an answerable question',
      '{"type": "question", "query": "a", "gold": []}',
      ' line 1: gold must not be empty unless type is unanswerable: add the lines that answer, or give that type.',
    ],
    ['a duplicate id', `{"id": "2", "query": "a", ${GOLD}}\n{"query": "b", ${GOLD}}`, ' uses the id "2" twice.'],
    ['empty lines only', '\n\n', ' has no questions. Write one per line: {"query": '],
  ])('are rejected with their place: %s', (_, text, message) => {
    const file = fileOf(text);
    expect(() => readQuestions(file)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(`${file}${message}`) }),
    );
  });

  it('are rejected with the reason if the file cannot be read', () => {
    expect(() => readQuestions('/nowhere.jsonl')).toThrow(
      '/nowhere.jsonl cannot be read (ENOENT: no such file or directory). Specify a file with one JSON object per line.',
    );
  });
});

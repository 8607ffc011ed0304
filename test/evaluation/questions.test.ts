import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readQuestions } from 'waymark';
import { folderOf } from '../support/folder.js';

function fileOf(text: string): string {
  return path.join(folderOf({ 'q.jsonl': text }), 'q.jsonl');
}

const SPAN = '{"file": "a.md", "startLine": 3, "endLine": 9}';
const GOLD = `"gold": [${SPAN}]`;

describe('questions', () => {
  it('are one JSON object a line, with what is missing filled in', () => {
    const file = fileOf(
      [
        `\ufeff{"query": "How?", ${GOLD}}\r`,
        '',
        '{"query": "Why?", "gold": []}',
        `{"id": "x", "corpus": "c", "type": "multi", "query": "Which?", ${GOLD}, "note": "left out"}`,
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
    ['no JSON', '{', ' line 1 must be a JSON object with query and gold.'],
    ['no object', '3', ' line 1 must be a JSON object with query and gold.'],
    ['no query', `{${GOLD}}`, ' line 1: query must be a non-empty string of at most 2048 bytes.'],
    ['a blank query', `\n{"query": " ", ${GOLD}}`, ' line 2: query must be a non-empty string of at most 2048 bytes.'],
    [
      'a query that is too long',
      `{"query": "${'a'.repeat(2049)}", ${GOLD}}`,
      ' line 1: query must be a non-empty string',
    ],
    ['no gold', '{"query": "a"}', ' line 1: gold must be a list of { file, startLine, endLine }, empty for'],
    [
      'gold that is no span',
      '{"query": "a", "gold": ["a.md"]}',
      ' line 1: gold[0] must be { file, startLine, endLine }.',
    ],
    [
      'a line 0',
      `{"query": "a", "gold": [${SPAN.replace('3', '0')}]}`,
      ' line 1: gold[0].startLine must be a whole number from 1.',
    ],
    [
      'half a line',
      `{"query": "a", "gold": [${SPAN.replace('3', '3.5')}]}`,
      ' line 1: gold[0].startLine must be a whole number',
    ],
    [
      'lines the wrong way round',
      `{"query": "a", "gold": [${SPAN.replace('9', '2')}]}`,
      ' line 1: gold[0].endLine must not be before startLine.',
    ],
    [
      'no file',
      `{"query": "a", "gold": [${SPAN.replace('a.md', '')}]}`,
      ' line 1: gold[0].file must be a text, not empty.',
    ],
    ['an id that is no text', `{"id": 1, "query": "a", ${GOLD}}`, ' line 1: id must be a text, not empty.'],
    [
      'unanswerable with gold',
      `{"type": "unanswerable", "query": "a", ${GOLD}}`,
      ' line 1: gold must be empty where type is unanswerable',
    ],
    [
      'answerable without',
      '{"type": "question", "query": "a", "gold": []}',
      ' line 1: gold must be empty where type is unanswerable',
    ],
    [
      'one id twice',
      `{"id": "2", "query": "a", ${GOLD}}\n{"query": "b", ${GOLD}}`,
      ' has two questions of the id "2".',
    ],
    ['nothing', '\n\n', ' has no question: write one a line, as {"query": '],
  ])('with %s are an error that names the place', (_, text, message) => {
    const file = fileOf(text);
    expect(() => readQuestions(file)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(`${file}${message}`) }),
    );
  });

  it('of no file are an error', () => {
    expect(() => readQuestions('/nowhere.jsonl')).toThrow(
      '/nowhere.jsonl cannot be read: give a file with one JSON object a line.',
    );
  });
});

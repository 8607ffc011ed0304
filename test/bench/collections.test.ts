import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollection } from '../../bench/support/collections/load-collection.js';
import { folderOf } from '../support/folder.js';

const QRELS = 'query-id\tcorpus-id\tscore\n';

function jsonLines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}

function spanQuery(given: object): object {
  return {
    id: 'q',
    corpus: 'c',
    type: 'question',
    query: '?',
    gold: [{ file: 'a.md', startLine: 1, endLine: 2 }],
    ...given,
  };
}

describe('a collection in the format of BEIR', () => {
  it('has documents, and the queries with judgements', () => {
    const folder = folderOf({
      'corpus.jsonl': jsonLines({ _id: 'd1', title: 'Ants', text: 'Six legs.' }, { _id: 'd2', text: 'No title.' }),
      'queries.jsonl': jsonLines({ _id: 'q1', text: 'legs?' }, { _id: 'q2', text: 'without judgements' }),
      'qrels.tsv': `${QRELS}q1\td1\t2\r\nq1\td2\t0\r\n`,
    });
    expect(loadCollection(folder)).toEqual({
      format: 'documents',
      name: path.basename(folder),
      documents: [
        { id: 'd1', title: 'Ants', text: 'Six legs.' },
        { id: 'd2', title: '', text: 'No title.' },
      ],
      queries: [
        {
          id: 'q1',
          text: 'legs?',
          judgements: new Map([
            ['d1', 2],
            ['d2', 0],
          ]),
        },
      ],
    });
  });

  it('may have its judgements in qrels/test.tsv, as in the archives of BEIR', () => {
    const folder = folderOf({
      'corpus.jsonl': jsonLines({ _id: 'd', text: '' }),
      'queries.jsonl': jsonLines({ _id: 'q', text: '?' }),
      'qrels/test.tsv': `${QRELS}q\td\t1\n`,
    });
    expect(loadCollection(folder).queries.map(({ id }) => id)).toEqual(['q']);
  });
});

describe('a collection of spans', () => {
  it('has a corpus per folder of docs', () => {
    const folder = folderOf({
      'docs/one/sub/a.md': 'text',
      'docs/two/a.md': 'text',
      'queries.jsonl': jsonLines(
        spanQuery({ id: 'q1', corpus: 'one', gold: [{ file: 'sub/a.md', startLine: 3, endLine: 9 }] }),
        spanQuery({ id: 'q2', corpus: 'two', type: 'unanswerable', gold: [] }),
      ),
    });
    expect(loadCollection(folder)).toEqual({
      format: 'spans',
      name: path.basename(folder),
      corpora: [
        { name: 'one', folder: path.join(folder, 'docs', 'one') },
        { name: 'two', folder: path.join(folder, 'docs', 'two') },
      ],
      queries: [
        {
          id: 'q1',
          corpus: 'one',
          type: 'question',
          text: '?',
          spans: [{ file: 'sub/a.md', startLine: 3, endLine: 9 }],
        },
        { id: 'q2', corpus: 'two', type: 'unanswerable', text: '?', spans: [] },
      ],
    });
  });

  it('without docs is itself the only corpus', () => {
    const folder = folderOf({ 'a.md': 'text', 'queries.jsonl': jsonLines(spanQuery({})) });
    expect(loadCollection(folder)).toMatchObject({ corpora: [{ name: 'c', folder }] });
  });
});

describe('an invalid collection is rejected', () => {
  const good = { 'a.md': 'text' };

  it.each([
    ['no queries', {}, 'is not a collection. It needs queries.jsonl'],
    ['no judgements', { 'corpus.jsonl': '', 'queries.jsonl': '' }, 'neither qrels.tsv nor qrels/test.tsv'],
    ['an empty file', { 'queries.jsonl': '', docs: '' }, 'has no questions'],
    [
      'only queries without judgements',
      { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': QRELS },
      'has no query with judgements',
    ],
    ['malformed JSON', { ...good, 'queries.jsonl': '\n{"id"\n' }, 'queries.jsonl line 2 must be a JSON object'],
    [
      'an answerable question without gold',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({ gold: [] })) },
      'unanswerable',
    ],
    [
      'endLine before startLine',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({ gold: [{ file: 'a.md', startLine: 2, endLine: 1 }] })) },
      'line 1: gold[0].endLine must not be less than startLine',
    ],
    ['gold in a missing file', { 'queries.jsonl': jsonLines(spanQuery({})) }, 'in a.md, which c does not have'],
    ['a duplicate id', { ...good, 'queries.jsonl': jsonLines(spanQuery({}), spanQuery({})) }, 'uses the id "q" twice'],
    [
      'two corpora in one folder',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({}), spanQuery({ id: 'r', corpus: 'd' })) },
      'must have the same corpus',
    ],
    [
      'a corpus without a folder',
      { 'docs/x/a.md': '', 'queries.jsonl': jsonLines(spanQuery({})) },
      'There is no folder',
    ],
    [
      'judgements without headings',
      { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': 'q\td\t1\n' },
      'qrels.tsv must begin with a line of headings',
    ],
    [
      'a judgement without a score',
      { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': `${QRELS}q\td\n` },
      'qrels.tsv line 2',
    ],
  ])('%s', (_, files, message) => {
    const folder = folderOf(files);
    expect(() => loadCollection(folder)).toThrow(message);
  });

  it('no folder', () => {
    expect(() => loadCollection('/nowhere')).toThrow('There is no folder /nowhere');
  });
});

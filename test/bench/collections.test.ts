import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollection } from '../../bench/collections/load-collection.js';
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
  it('has documents, and the queries that are judged', () => {
    const folder = folderOf({
      'corpus.jsonl': jsonLines({ _id: 'd1', title: 'Ants', text: 'Six legs.' }, { _id: 'd2', text: 'No title.' }),
      'queries.jsonl': jsonLines({ _id: 'q1', text: 'legs?' }, { _id: 'q2', text: 'not judged' }),
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

  it('may have its judgements where the archives of BEIR have them', () => {
    const folder = folderOf({
      'corpus.jsonl': jsonLines({ _id: 'd', text: '' }),
      'queries.jsonl': jsonLines({ _id: 'q', text: '?' }),
      'qrels/test.tsv': `${QRELS}q\td\t1\n`,
    });
    expect(loadCollection(folder).queries.map(({ id }) => id)).toEqual(['q']);
  });
});

describe('a collection of spans', () => {
  it('has a corpus in each folder of docs', () => {
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

  it('is one corpus, the folder itself, without docs', () => {
    const folder = folderOf({ 'a.md': 'text', 'queries.jsonl': jsonLines(spanQuery({})) });
    expect(loadCollection(folder)).toMatchObject({ corpora: [{ name: 'c', folder }] });
  });
});

describe('what is no collection is told in a sentence', () => {
  const good = { 'a.md': 'text' };

  it.each([
    ['no queries', {}, 'is no collection: it needs queries.jsonl'],
    ['no judgements', { 'corpus.jsonl': '', 'queries.jsonl': '' }, 'lacks qrels.tsv or qrels/test.tsv'],
    ['an empty file', { 'queries.jsonl': '', docs: '' }, 'has no question'],
    ['nothing judged', { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': QRELS }, 'has no query to ask'],
    ['no JSON', { ...good, 'queries.jsonl': '\n{"id"\n' }, 'queries.jsonl line 2 must be a JSON object'],
    ['a line without gold', { ...good, 'queries.jsonl': jsonLines(spanQuery({ gold: [] })) }, 'unanswerable'],
    [
      'lines the wrong way round',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({ gold: [{ file: 'a.md', startLine: 2, endLine: 1 }] })) },
      'line 1: gold[0].endLine must not be before startLine',
    ],
    ['gold in no file', { 'queries.jsonl': jsonLines(spanQuery({})) }, 'names a.md, which is not in c'],
    [
      'two of one id',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({}), spanQuery({})) },
      'two questions of the id "q"',
    ],
    [
      'two corpora in one folder',
      { ...good, 'queries.jsonl': jsonLines(spanQuery({}), spanQuery({ id: 'r', corpus: 'd' })) },
      'must be of one corpus',
    ],
    ['a corpus without folder', { 'docs/x/a.md': '', 'queries.jsonl': jsonLines(spanQuery({})) }, 'there is no folder'],
    [
      'a judgement without score',
      { 'corpus.jsonl': '', 'queries.jsonl': '', 'qrels.tsv': `${QRELS}q\td\n` },
      'qrels.tsv line 2',
    ],
  ])('%s', (_, files, message) => {
    const folder = folderOf(files);
    expect(() => loadCollection(folder)).toThrow(message);
  });

  it('no folder', () => {
    expect(() => loadCollection('/nowhere')).toThrow('No folder at /nowhere');
  });
});

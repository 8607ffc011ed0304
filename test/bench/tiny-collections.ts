import { loadCollection } from '../../bench/support/collections/load-collection.js';
import { folderOf } from '../support/folder.js';

function jsonLines(...objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}

/** Each query consists of words that only its answer contains. */
export function documents() {
  return loadCollection(
    folderOf({
      'corpus.jsonl': jsonLines(
        { _id: 'ants', title: 'Ants', text: 'They carry leaves along a trail.' },
        { _id: 'bees', title: 'Bees', text: 'They dance to show where nectar is.' },
        { _id: '.cat', title: 'Cats', text: 'They sleep all day long.' },
      ),
      'queries.jsonl': jsonLines({ _id: '1', text: 'leaves along a trail' }, { _id: '2', text: 'sleep all day long' }),
      'qrels.tsv': 'query-id\tcorpus-id\tscore\n1\tants\t1\n2\t.cat\t1\n2\tbees\t0\n',
    }),
  );
}

/** Two corpora, and a question without an answer. */
export function spans() {
  const gold = (file: string, startLine: number, endLine: number) => ({ file, startLine, endLine });
  return loadCollection(
    folderOf({
      'docs/garden/a.md': '# Watering\n\nTomatoes drink each evening.\n\n# Pruning\n\nRoses lose twigs in March.\n',
      'docs/kitchen/b.md': '# Bread\n\nDough rises overnight.\n',
      'queries.jsonl': jsonLines(
        { id: 'g1', corpus: 'garden', type: 'question', query: 'tomatoes drink evening', gold: [gold('a.md', 3, 3)] },
        {
          id: 'g2',
          corpus: 'garden',
          type: 'multi',
          query: 'roses twigs tomatoes evening',
          gold: [gold('a.md', 3, 3), gold('a.md', 6, 7)],
        },
        { id: 'k1', corpus: 'kitchen', type: 'question', query: 'dough rises', gold: [gold('b.md', 1, 1)] },
        { id: 'k2', corpus: 'kitchen', type: 'unanswerable', query: 'xylophone', gold: [] },
      ),
    }),
  );
}

import { expect, test } from 'vitest';
import { layoutOf } from '#src/cli/output/progress-bar.js';

const count = '{value}/{total}';

test.each([
  [80, 100, { format: `Embedding {bar} ${count} passages, {rate}/s, {remaining}`, barsize: 30 }],
  [60, 1570, { format: `Embedding {bar} ${count} passages, {rate}/s, {remaining}`, barsize: 8 }],
  [50, 1570, { format: `Embedding {bar} ${count}, {rate}/s, {remaining}`, barsize: 7 }],
  [40, 1570, { format: `Embedding {bar} ${count}, {remaining}`, barsize: 5 }],
  [30, 1570, { format: `${count}, {remaining}`, barsize: 4 }],
  [200, 1, { format: `Embedding {bar} ${count} passage, {rate}/s, {remaining}`, barsize: 30 }],
])('at %i columns, progress of %i passages says as much as fits', (columns, total, layout) => {
  expect(layoutOf('Embedding', { total, noun: 'passage', columns })).toEqual(layout);
});

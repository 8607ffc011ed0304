import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '#src/sqlite/connection/open-connection.js';
import { folderOf } from '../../support/folder.js';

test('uses of one cached statement in different modes each get rows in their own form', () => {
  const connection = openConnection(path.join(folderOf(), 'waymark.db'), { create: true });
  onTestFinished(() => connection.close());
  const sql = `SELECT 1 AS one, 2 AS two`;
  const values = connection.cached(sql).pluck();
  const arrays = connection.cached(sql).raw();
  const objects = connection.cached(sql);
  for (let i = 0; i < 2; i++) {
    expect([values.get(), arrays.get(), objects.get()]).toEqual([1, [1, 2], { one: 1, two: 2 }]);
    expect([objects.all(), values.all(), arrays.all()]).toEqual([[{ one: 1, two: 2 }], [1], [[1, 2]]]);
  }
  expect([[...arrays.iterate()], [...values.iterate()]]).toEqual([[[1, 2]], [1]]);
});

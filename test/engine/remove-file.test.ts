import { expect, it } from 'vitest';
import { engineOf } from '../support/engine.js';

it.each<[unknown, string]>([
  [{}, '{}'],
  [{ id: undefined }, '{ id: undefined }'],
  [{ id: 'file_1', version: '2' }, "{ id: 'file_1', version: '2' }"],
  [null, 'null'],
  ['file_1', '"file_1"'],
])('removeFile refuses the option only: %j, and removes nothing', async (only, shown) => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'The kettle.');
  await expect(engine.removeFile('a.md', { only } as never)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message:
      'only must be an object with the id of the file and, if it must be in that state, its version; ' +
      `it is ${shown}.`,
  });
  expect(await engine.keys()).toEqual(['a.md']);
});

it('removeFile with the option only removes the file with that id, and no other', async () => {
  const engine = await engineOf();
  await engine.indexFile('a.md', 'The kettle.');
  expect(await engine.removeFile('a.md', { only: { id: 'file_1' } })).toBe(false);
  const [hit] = await engine.search('kettle');
  expect(await engine.removeFile('a.md', { only: { id: hit?.file.id ?? '' } })).toBe(true);
  expect(await engine.keys()).toEqual([]);
});

import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';

const numbered = (count: number, piece: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');

const megabyte = (piece: string) => piece.repeat(Math.ceil(2 ** 20 / piece.length));

test.each([
  ['prose without marks', `# Kettles\n\n${megabyte('The kettle is descaled with vinegar.\n\n')}`],
  ['a line of 4 MB', `# Kettles\n\n${megabyte('The kettle is descaled with vinegar. ').repeat(4)}`],
  ['code of brackets', `# Kettles\n\n\`\`\`\n${megabyte('[')}\n\`\`\`\n`],
  [
    '3,000 lists',
    `# Kettles\n\n${numbered(3_000, (i) => `Descaled ${i}:\n\n- with [vinegar](${i}.md)\n- rinsed twice\n\n`)}`,
  ],
  ['3,000 footnotes', `# Kettles\n\n${numbered(3_000, (i) => `Descaled[^${i}].\n\n[^${i}]: With vinegar ${i}.\n\n`)}`],
])('a long text is parsed, not cut off: %s', async (_, text) => {
  const engine = await engineOf();
  expect(await engine.indexFile('a.md', text)).toEqual({ outcome: 'added', warnings: [] });
  const [hit] = await engine.search('descaled', { limit: 1 });
  expect(hit?.passage.breadcrumb).toEqual(['Kettles']);
});

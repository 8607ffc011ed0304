import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';

const megabyte = (piece: string) => piece.repeat(Math.ceil(2 ** 20 / piece.length));

test.each([
  ['prose without marks', `# Kettles\n\n${megabyte('The kettle is descaled with vinegar.\n\n')}`],
  ['one paragraph on lines', `# Kettles\n\n${megabyte('descaled a b c\n')}`],
  ['one table', `# Kettles\n\n|a|b|\n|-|-|\n${megabyte('|descaled|b|\n').slice(0, 2 ** 18)}`],
  ['code of brackets', `# Kettles\n\n\`\`\`\n${megabyte('[')}\n\`\`\`\n`],
])('a megabyte of %s is parsed, not cut off', async (_, text) => {
  const engine = await engineOf();
  expect(await engine.indexFile('a.md', text)).toEqual({ outcome: 'added', warnings: [] });
  const [hit] = await engine.search('descaled', { limit: 1 });
  expect(hit?.passage.breadcrumb).toEqual(['Kettles']);
});

import { expect, test } from 'vitest';
import { createIndexedFolder } from '../cli/documentation.js';
import { waymark } from '../support/command.js';
import { TORTURE } from './torture.js';

// Indexing takes a minute.
test.runIf(TORTURE)('a map of more than 50,000 passages is refused, naming --in', async () => {
  // One text: it is embedded once.
  const section = '# A\n\nThe same few words in each of very many passages, which are more than a map can show.\n\n';
  const files = Array.from({ length: 26 }, (_, i) => [`docs/${i}.md`, section.repeat(2000)] as const);
  const cwd = await createIndexedFolder(Object.fromEntries(files));
  expect(await waymark(['map'], { cwd })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'A map shows at most 50,000 passages; these files have more. Choose some with --in <path>.\n',
  });
});

import { expect, test } from 'vitest';
import { messageOf } from '#src/cli/run.js';

test('an error of file permissions names the path and the next step', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES', path: '/notes/a.md' });
  const sentence = '/notes/a.md cannot be used (EACCES): check its permissions and those of the folders above it.';
  expect(messageOf(denied)).toBe(sentence);
});

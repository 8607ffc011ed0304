import { expect, test, vi } from 'vitest';
import { movesCursor } from '#src/cli/output/terminal.js';

test.each([
  ['xterm', true, true],
  ['dumb', true, false],
  ['xterm', undefined, false],
])('with TERM=%s and isTTY %s, the cursor can be moved: %s', (term, isTTY, moves) => {
  vi.stubEnv('TERM', term);
  expect(movesCursor(isTTY ? { isTTY } : {})).toBe(moves);
  vi.unstubAllEnvs();
});

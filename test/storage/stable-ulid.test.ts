import { expect, test } from 'vitest';
import { stableUlid } from '#src/storage/ids/stable-ulid.js';

test('a stable ULID has the form of one, and is the same for the same parts only', () => {
  const made = Array.from({ length: 200 }, (_, i) => stableUlid(['bot', 'a.md', i]));
  for (const one of made) expect(one).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(new Set(made).size).toBe(200);
  expect(stableUlid(['bot', 'a.md', 0])).toBe(made[0]);
});

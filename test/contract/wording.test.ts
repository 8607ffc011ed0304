import { expect, it } from 'vitest';
import { counted, shownSize } from 'waymark';

it('a count has its noun in the singular for one, and separators from a thousand', () => {
  const counts = [0, 1, 2, 12_345].map((count) => counted(count, 'file'));
  expect(counts).toEqual(['0 files', '1 file', '2 files', '12,345 files']);
});

it('a size is in megabytes below a billion bytes, in gigabytes from there', () => {
  const sizes = [0, 2_166_784, 999_000_000, 1_000_000_000, 65_100_000_000].map(shownSize);
  expect(sizes).toEqual(['0.0 MB', '2.2 MB', '999.0 MB', '1.0 GB', '65.1 GB']);
});

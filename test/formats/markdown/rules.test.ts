import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownText } from 'waymark';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { countWords, options } from './counting.js';
import { pages } from './pages.js';

// The rules that a cut must satisfy: ../shared/findings/passages.md. Slices and coverage are in properties.test.ts.

const BUDGETS = [64, 192];
const seeded = { seed: 16, numRuns: 150 };

/** The passages of a page, with what is shown for each. */
function cut(text: string, budget: number) {
  return parseMarkdown(text, options({ budget, maxTokens: 512 })).passages.map((passage) => ({
    ...passage,
    display: `${passage.opening ?? ''}${text.slice(passage.start, passage.end)}${passage.closing ?? ''}`,
  }));
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

test.each(BUDGETS)('every passage has as many words as a budget of %i requires', (budget) => {
  fc.assert(
    fc.property(pages, ({ flavoured }) => {
      for (const { readable } of cut(flavoured, budget))
        expect(wordsOf(readable).length).toBeGreaterThanOrEqual(budget / 64);
    }),
    seeded,
  );
});

test.each(BUDGETS)('shown fences are balanced, rows have their header and items their number, budget %i', (budget) => {
  fc.assert(
    fc.property(pages, ({ flavoured }) => {
      for (const { display } of cut(flavoured, budget)) {
        const fences = display.match(/^```/gm) ?? [];
        expect(fences.length % 2, display).toBe(0);
        const [firstRow] = display.match(/^\|.*/m) ?? [];
        if (firstRow) expect(firstRow).toBe('| cell | more |');
        if (/^first/m.test(display)) expect(display).toMatch(/^```sh\nfirst/m);
      }
    }),
    seeded,
  );
});

test.each(BUDGETS)('an introduction stays with the start of what it introduces if both fit %i tokens', (budget) => {
  fc.assert(
    fc.property(pages, ({ plain }) => {
      const passages = cut(plain, budget).map(({ start, end }) => ({ start, end }));
      for (const { index, 0: introduction } of plain.matchAll(
        /^This introduces it:\n\n(?:```sh\n(?:.+\n)+?```|(?:.+\n){1,2}.+)/gm,
      )) {
        if (countWords(introduction) > budget) continue;
        const first = index + introduction.indexOf('first');
        const [passage] = passages.filter(({ start, end }) => start <= index && index < end);
        expect(first, introduction).toBeLessThan(passage?.end ?? 0);
      }
    }),
    seeded,
  );
});

test.each(BUDGETS)('no mark that a reader does not see is embedded or shown, budget %i', async (budget) => {
  await fc.assert(
    fc.asyncProperty(pages, async ({ flavoured }) => {
      for (const { breadcrumb, text, display } of cut(flavoured, budget)) {
        expect(`${breadcrumb.join()} ${text}`).not.toMatch(/zzz/i);
        expect(await shownText(display)).not.toMatch(/zzz/i);
      }
    }),
    seeded,
  );
});

test.each(BUDGETS)(
  'without the marks of its flavours a page gives the same words in the same passages, budget %i',
  (budget) => {
    const read = (text: string) =>
      cut(text, budget).map(({ breadcrumb, readable }) => [...breadcrumb, ...wordsOf(readable)].join(' '));
    fc.assert(
      fc.property(pages, ({ flavoured, plain }) => {
        expect(read(flavoured)).toEqual(read(plain));
      }),
      seeded,
    );
  },
);

test('a page that is repeated gives the same passages twice', () => {
  fc.assert(
    fc.property(pages, ({ flavoured }) => {
      const [once, twice] = [cut(flavoured, 192), cut(`${flavoured}\n\n${flavoured}`, 192)];
      const read = (passages: typeof once) => passages.map(({ readable }) => readable);
      expect(read(twice)).toEqual([...read(once), ...read(once)]);
    }),
    seeded,
  );
});

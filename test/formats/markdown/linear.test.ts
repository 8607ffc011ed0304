import { expect, test } from 'vitest';
import parseMarkdown from '#src/formats/markdown/parse-markdown.js';
import { termsOf } from '#src/text/terms.js';
import { countWords, options } from './counting.js';
import { HOSTILE, prose } from './hostile.js';

/** What it takes to index a text, in units that do not depend on the machine. */
function work(text: string) {
  let counted = 0;
  const countTokens = (part: string) => {
    counted += part.length;
    return countWords(part);
  };
  const file = parseMarkdown(text, options({ budget: 25, maxTokens: 120, countTokens }));
  const terms = file.passages.map(({ breadcrumb, readable }) => termsOf(`${breadcrumb.join('\n')}\n${readable}`));
  return {
    'characters whose tokens are counted': counted,
    'bytes of the result': JSON.stringify(file).length,
    'bytes of terms': JSON.stringify(terms).length,
  };
}

/** Characters: more than a line of 100 characters per token, which is cut in another way. */
const SIZE = 3_000;

test.each(Object.entries({ ...HOSTILE, prose }))('twice the text takes about twice the work: %s', (_, textOf) => {
  const [once, twice] = [work(textOf(SIZE)), work(textOf(SIZE * 2))];
  for (const [unit, amount] of Object.entries(once)) {
    // Quadratic work would be four times as much; each text has a fixed cost of a few hundred.
    expect(twice[unit as keyof typeof twice], unit).toBeLessThan(3 * amount + 1000);
  }
});

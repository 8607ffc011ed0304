import type { Extension, ParseContext } from 'micromark-util-types';

/** Thrown by a parse of a text with too many lazy lines. */
export class TooManyLazyLines extends Error {}

/**
 * Stops the parse where more than `most` lines in a row lazily continue the paragraph of a quote or a list: micromark
 * looks at all of the paragraph again for each of them.
 */
export function boundedLazyLines(most: number): Extension {
  const inARow = new WeakMap<ParseContext, number>();
  return {
    document: {
      // For every character that a line may begin with.
      null: {
        name: 'boundedLazyLines',
        add: 'after',
        tokenize(_, __, nok) {
          return (code) => {
            const wasLazy = this.parser.lazy[this.now().line - 1];
            const count = wasLazy ? (inARow.get(this.parser) ?? 0) + 1 : 0;
            inARow.set(this.parser, count);
            if (count > most) throw new TooManyLazyLines();
            return nok(code);
          };
        },
      },
    },
  };
}

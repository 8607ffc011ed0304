/** The ids of a text's tokens, special ones at both ends. */
export type Encode = (text: string) => number[];

/** Words whose tokens are remembered; documentation of a million words has some 30,000. */
const MOST_WORDS = 100_000;

/** Of longer ones there are too many different ones to remember. */
const LONGEST_WORD = 64;

/**
 * Puts a text's tokens together from those of its words, each encoded once: thirty times as fast. For tokenizers to
 * which a text is its words and nothing between them, with one special token at either end.
 */
export function encodeByWords(encode: Encode): Encode {
  const [first, last] = encode('') as [number, number];
  const known = new Map<string, readonly number[]>();
  const tokensOf = (word: string): readonly number[] => {
    const remembered = known.get(word);
    if (remembered) return remembered;
    const tokens = encode(word).slice(1, -1);
    if (word.length <= LONGEST_WORD) {
      if (known.size >= MOST_WORDS) known.clear();
      known.set(word, tokens);
    }
    return tokens;
  };
  return (text) => {
    const ids = [first];
    for (const word of text.split(BLANKS)) if (word !== '') for (const id of tokensOf(word)) ids.push(id);
    ids.push(last);
    return ids;
  };
}

/** Not \s, which has characters that tokenizers take out without a trace, such as the byte order mark. */
const BLANKS = /[ \t\n\r]+/;

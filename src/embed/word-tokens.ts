/** Returns the token ids of a text, with a special token at either end. */
export type Encode = (text: string) => number[];

/** Number of words whose tokens are cached. A million words of documentation have about 30,000 distinct ones. */
const MAXIMUM_WORDS = 100_000;

/** Longer words, in characters, are rarely repeated and are not cached. */
const LONGEST_WORD = 64;

/** Not `\s`: tokenizers drop some of its characters, such as the byte order mark, without ending a word. */
const WHITESPACE = /[ \t\n\r]+/;

/** Words of these characters are encoded by part: BERT's tokenizers make each mark of ASCII a token of its own. */
const ASCII = /^[!-~]+$/;
const PART = /[A-Za-z0-9]+|[!-~]/g;

/**
 * Encodes a text word by word and caches the tokens of each word, which is about thirty times as fast. Valid only for
 * tokenizers that treat whitespace purely as a separator and add one special token at either end. A new word such as
 * `client.close();` is put together from the tokens of its parts, most of which are cached already, unless it contains
 * one of the tokenizer's `added` tokens. `encodePart` returns the tokens of one part, which is ASCII and needs no
 * further splitting or normalisation.
 */
export function encodeByWords(
  encode: Encode,
  { added, encodePart }: { readonly added: readonly string[]; readonly encodePart: Encode },
): Encode {
  const [first, last] = encode('') as [number, number];
  const cache = new Map<string, readonly number[]>();
  const tokensOf = (word: string): readonly number[] => {
    const cached = cache.get(word);
    if (cached) return cached;
    const hasParts = ASCII.test(word) && !added.some((token) => word.includes(token));
    const tokens = hasParts ? tokensOfParts(word) : encode(word).slice(1, -1);
    if (word.length <= LONGEST_WORD) {
      if (cache.size >= MAXIMUM_WORDS) cache.clear();
      cache.set(word, tokens);
    }
    return tokens;
  };
  const tokensOfParts = (word: string): readonly number[] => {
    const parts = word.match(PART) ?? [];
    return parts.length > 1 ? parts.flatMap(tokensOf) : encodePart(word);
  };
  return (text) => {
    const ids = [first];
    for (const word of text.split(WHITESPACE)) if (word !== '') for (const id of tokensOf(word)) ids.push(id);
    ids.push(last);
    return ids;
  };
}

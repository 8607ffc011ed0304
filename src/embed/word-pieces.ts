/** What WordPiece needs of a tokenizer's model. */
export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
  /** The prefix of a piece that continues a word, such as `##`. */
  readonly prefix: string;
  /** The id of the token for unknown words. */
  readonly unknown: number;
  /** Longer words, in characters, are one unknown token. */
  readonly longestWord: number;
}

/**
 * Returns the tokens of an ASCII word: the longest piece that it begins with, then the same for the rest. The ids are
 * those of Transformers.js, which is slower: it joins an array of characters for each piece that it tries.
 */
export function wordPieces({ ids, prefix, unknown, longestWord }: Vocabulary): (word: string) => number[] {
  let longestPiece = 0;
  // In a loop: a vocabulary may have more pieces than a call can have arguments.
  for (const piece of ids.keys()) longestPiece = Math.max(longestPiece, piece.length);
  return (word) => {
    if (word.length > longestWord) return [unknown];
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      let id: number | undefined;
      let end = Math.min(word.length, start + longestPiece);
      for (; end > start; end--) {
        const piece = word.slice(start, end);
        id = ids.get(start === 0 ? piece : prefix + piece);
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      pieces.push(id);
      start = end;
    }
    return pieces;
  };
}

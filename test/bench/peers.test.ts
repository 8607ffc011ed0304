import { describe, expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { locatePieces } from '../../bench/peers/locate-pieces.js';
import { UsageError } from '../../bench/support/cli/usage-error.js';
import { remembering } from '../../bench/support/embedders/remembering.js';

describe('pieces of a text', () => {
  it('have their lines', () => {
    expect(locatePieces('# A\n\none\ntwo\n\n# B\nend', ['# A', 'one\ntwo', '# B\nend'])).toEqual([
      { text: '# A', startLine: 1, endLine: 1 },
      { text: 'one\ntwo', startLine: 3, endLine: 4 },
      { text: '# B\nend', startLine: 6, endLine: 7 },
    ]);
  });

  it('that are identical are located one after the other', () => {
    expect(locatePieces('same\nsame', ['same', 'same']).map(({ startLine }) => startLine)).toEqual([1, 2]);
  });

  it('are rejected if the text does not contain them', () => {
    expect(() => locatePieces('a\n\nb', ['a b'])).toThrow(new UsageError('The splitter changed the text: "a b".'));
  });
});

describe('a remembering embedder', () => {
  it('embeds no text twice and returns the embeddings of the embedder', async () => {
    const embedder = createHashEmbedder();
    const asked: string[] = [];
    const memory = remembering({
      ...embedder,
      embedPassages: (texts) => {
        asked.push(...texts);
        return embedder.embedPassages(texts);
      },
    });
    await memory.embedPassages(['a', 'b', 'a']);
    const again = await memory.embedPassages(['b', 'c', 'a']);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(again).toEqual(await embedder.embedPassages(['b', 'c', 'a']));
  });
});

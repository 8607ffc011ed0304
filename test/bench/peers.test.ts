import { describe, expect, it } from 'vitest';
import { createHashEmbedder } from 'waymark';
import { peersCommand } from '../../bench/peers/command.js';
import { placed } from '../../bench/peers/placed.js';
import { remembering } from '../../bench/peers/remember.js';
import { UsageError } from '../../bench/usage-error.js';

describe('pieces of a text', () => {
  it('have the lines that they stand in', () => {
    expect(placed('# A\n\none\ntwo\n\n# B\nend', ['# A', 'one\ntwo', '# B\nend'])).toEqual([
      { text: '# A', startLine: 1, endLine: 1 },
      { text: 'one\ntwo', startLine: 3, endLine: 4 },
      { text: '# B\nend', startLine: 6, endLine: 7 },
    ]);
  });

  it('that are alike are found one after the other', () => {
    expect(placed('same\nsame', ['same', 'same']).map(({ startLine }) => startLine)).toEqual([1, 2]);
  });

  it('are refused where the text does not have them', () => {
    expect(() => placed('a\n\nb', ['a b'])).toThrow(new UsageError('A piece of a text is not in it: "a b".'));
  });
});

describe('a remembering embedder', () => {
  it('embeds no text twice, and gives what the embedder does', async () => {
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

it('the command refuses more than one collection, and chunks of no length', async () => {
  await expect(peersCommand(['corpus', 'corpus'])).rejects.toThrow('Give the folder of one collection.');
  await expect(peersCommand(['corpus', '--chunk-size', '0'])).rejects.toThrow('--chunk-size must be a whole number');
});

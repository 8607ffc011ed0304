import { describe, expect, it } from 'vitest';
import { textParts, utf8Parts } from '#src/text/parts.js';

describe('the parts of a text', () => {
  it('have at most the given size, and together are the text', () => {
    expect([...textParts('abcdefg', 3)]).toEqual(['abc', 'def', 'g']);
  });

  it('do not end within a surrogate pair', () => {
    expect([...textParts('ab😀😀c', 3)]).toEqual(['ab', '😀', '😀c']);
    // The first pair, D800 DC00, and the last, DBFF DFFF.
    expect([...textParts('ab\u{10000}c', 3)]).toEqual(['ab', '\u{10000}c']);
    expect([...textParts('a\u{10000}\u{10ffff}c', 4)]).toEqual(['a\u{10000}', '\u{10ffff}c']);
    expect([...textParts('ａｂ\u{10000}ｃ', 4)]).toEqual(['ａｂ\u{10000}', 'ｃ']);
  });

  it('of an empty text are one empty part', () => {
    expect([...textParts('', 3)]).toEqual(['']);
  });
});

describe('the parts of bytes', () => {
  it('do not end within a character of UTF-8', () => {
    const parts = [...utf8Parts(Buffer.from('aéб€😀'), 4)];
    expect(parts.map((part) => Buffer.from(part).toString())).toEqual(['aé', 'б', '€', '😀']);
  });

  it('contain all bytes, even if these are not UTF-8', () => {
    const bytes = Buffer.from([0xc3, 0xff, 0xff, 0xff, 0xc3, 0x80, 0x80, 0x80, 0x80]);
    expect(Buffer.concat([...utf8Parts(bytes, 4)])).toEqual(bytes);
    const cut = Buffer.from('aaé').subarray(0, 3);
    expect(Buffer.concat([...utf8Parts(cut, 2)])).toEqual(cut);
  });
});

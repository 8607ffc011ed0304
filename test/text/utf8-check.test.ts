import { expect, test } from 'vitest';
import { Utf8Check } from '#src/text/utf8-check.js';

/** Whether bytes are UTF-8, according to a check that gets them in two parts, by the length of the first. */
function checkedInParts(bytes: Buffer): boolean[] {
  return Array.from({ length: bytes.length + 1 }, (_, end) => {
    const check = new Utf8Check();
    check.add(bytes.subarray(0, end));
    check.add(bytes.subarray(end));
    return check.isUtf8;
  });
}

test.each([
  ['a text', 'aé€😀b'],
  ['the first and last characters of each length', '\u0000\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}'],
  ['nothing', ''],
])('%s is UTF-8, wherever it is divided', (_, text) => {
  expect(new Set(checkedInParts(Buffer.from(text)))).toEqual(new Set([true]));
});

test.each([
  ['a character without its end', [0x61, 0xe2, 0x82]],
  ['the end of a character alone', [0x61, 0x82, 0xac, 0x62]],
  ['a byte too many', [0xc3, 0xa9, 0xa9]],
  ['a letter in ISO 8859-1', [0x61, 0xe9, 0x62]],
  ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
])('%s is not UTF-8, wherever it is divided', (_, bytes) => {
  expect(new Set(checkedInParts(Buffer.from(bytes)))).toEqual(new Set([false]));
});

test('what follows bytes that are not UTF-8 does not mend them', () => {
  const check = new Utf8Check();
  for (const part of [[0xff], [0x61], [0x62]]) check.add(Buffer.from(part));
  expect(check.isUtf8).toBe(false);
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { engineOf } from '../support/engine.js';
import { folderOf, writeFiles } from '../support/folder.js';

/** Windows-1252, of which only the characters of a text are needed here. */
function windows1252(text: string): Buffer {
  const beyond: Readonly<Record<string, number>> = { '–': 0x96, '“': 0x93, '”': 0x94, '’': 0x92, '€': 0x80, œ: 0x9c };
  return Buffer.from([...text].map((character) => beyond[character] ?? character.charCodeAt(0)));
}

const GERMAN = 'Der Server muss neu starten, bevor die Änderungen gültig sind. Größere Dateien prüft ein Schlüssel.';
const ENGLISH =
  'The café opens at 9 – bring your own “cup”. It’s a naïve approach to configuration, but it works well for ' +
  'most users of the service.';
const FRENCH = "Les données sont stockées à côté du modèle, et l'élève préfère la méthode générale, bien sûr : 5 €.";

test.each([
  ['UTF-16, little-endian', GERMAN, Buffer.from(`\ufeff${GERMAN}`, 'utf16le')],
  ['UTF-16, big-endian', GERMAN, Buffer.from(`\ufeff${GERMAN}`, 'utf16le').swap16()],
  ['ISO-8859-1', GERMAN, Buffer.from(GERMAN, 'latin1')],
  ['Windows-1252 with typographic quotes', ENGLISH, windows1252(ENGLISH)],
  ['Windows-1252 with a euro sign', FRENCH, windows1252(FRENCH)],
])('a file in %s is read as what it says', async (_, text, bytes) => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.md': bytes });
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [] });
  const [hit] = await engine.search(text);
  expect([hit?.passage.content, hit?.passage.start, hit?.passage.end]).toEqual([text, 0, text.length]);
  expect(await engine.indexFolder(folder, { verify: true })).toMatchObject({ unchanged: 1 });
});

test.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('a long text in %s, which is decoded in parts, is read as what it says', async (_, encode) => {
  const engine = await engineOf();
  // The characters of three and four bytes come to lie across every border between two parts.
  const text = Array.from({ length: 20_000 }, (_, i) => `${'a'.repeat(i % 7)}€😀`).join(' ');
  const folder = folderOf({ 'a.txt': encode(text) });
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [] });
  expect((await engine.readFile('a.txt'))?.text).toBe(text);
  // A text that is given has the same hash.
  expect(await engine.indexFile('a.txt', text)).toMatchObject({ outcome: 'unchanged' });
});

test('the same text in another encoding is the same content', async () => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.md': Buffer.from(GERMAN, 'latin1') });
  await engine.indexFolder(folder);
  writeFileSync(path.join(folder, 'a.md'), GERMAN);
  expect(await engine.indexFolder(folder)).toMatchObject({ updated: 0, unchanged: 1 });
  writeFiles(folder, { 'a.md': `${GERMAN} Noch mehr.` });
  expect(await engine.indexFolder(folder)).toMatchObject({ updated: 1 });
});

test.each([
  ['ISO-8859-2', 'Plik jest odczytywany. U\xbfytkownik mo\xbfe zmieni\xe6 has\xb3o, \xbfeby zmiany zadzia\xb3a\xb3y.'],
  [
    'Windows-1251',
    '\xd4\xe0\xe9\xeb \xea\xee\xed\xf4\xe8\xe3\xf3\xf0\xe0\xf6\xe8\xe8 \xf7\xe8\xf2\xe0\xe5\xf2\xf1\xff',
  ],
  ['MS-DOS', 'Die Gr\x94\xe1e der Schl\x81ssel \x84ndern, f\x81r Pr\x81fungen gen\x81gt es.'],
  ['old Macs', 'Die Gr\x9a\xa7e der Schl\x9fssel \x8andern, f\x9fr Pr\x9fungen gen\x9fgt es.'],
  [
    'Shift JIS',
    '\x90\xdd\x92\xe8\x83t\x83@\x83C\x83\x8b\x82\xcd\x8bN\x93\xae\x8e\x9e\x82\xc9\x93\xc7\x82\xdd\x8d\x9e\x82\xdc',
  ],
  [
    'ISO-8859-15',
    "L'\xbduf de poule est le plus utilis\xe9 : les \xbdufs de la m\xeame poule sont class\xe9s d\xe8s la ponte.",
  ],
  [
    'ISO-8859-15',
    'La superficie m\xednima de la regi\xf3n cuesta 2212 \xa4 seg\xfan la \xfaltima evaluaci\xf3n de Espa\xf1a.',
  ],
  ['an unknown encoding', 'a\xff'],
])('a text in %s is refused rather than guessed', async (_, characters) => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.md': Buffer.from(characters, 'latin1') });
  const reason = 'it is not UTF-8: save it as UTF-8';
  expect((await engine.indexFolder(folder)).failed).toEqual([{ key: 'a.md', reason }]);
  expect(readFileSync(path.join(folder, 'a.md')).toString('latin1')).toBe(characters);
});

const META = '<meta http-equiv="Content-Type" content="text/html; charset=';

test.each([
  ['Shift JIS', '<meta charset="Shift_JIS"><p>\x83t\x83@\x83C\x83\x8b is a file</p>', 'ファイル is a file'],
  ['Windows-1251', `${META}windows-1251"><p>\xd4\xe0\xe9\xeb is a file</p>`, 'Файл is a file'],
  ['ISO-8859-1', `${META}iso-8859-1"><p>\xa9 \x93Kettle\x94 is a name</p>`, '© “Kettle” is a name'],
  ['ISO-8859-2', '<?xml version="1.0" encoding="ISO-8859-2"?><p>\xbfaba is a frog</p>', 'żaba is a frog'],
])('a page that declares %s is read so', async (_, characters, text) => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.html': Buffer.from(characters, 'latin1') });
  expect((await engine.indexFolder(folder)).failed).toEqual([]);
  expect((await engine.search(text))[0]?.passage.display ?? '').toContain(text);
});

test.each([
  ['an encoding that its bytes are not in', '<meta charset="euc-jp"><p>\xd4\xe0\xe9\xeb\xff</p>'],
  ['UTF-8', '<meta charset="utf-8"><p>\xd4\xe0\xe9\xeb</p>'],
  ['an unknown encoding', '<meta charset="kettle-8"><p>\xd4\xe0\xe9\xeb</p>'],
  ['an encoding in a comment', '<!-- <meta charset="windows-1251"> --><p>\xd4\xe0\xe9\xeb</p>'],
])('a page that is not UTF-8 and declares %s is refused', async (_, characters) => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.html': Buffer.from(characters, 'latin1') });
  const reason = 'it is not UTF-8: save it as UTF-8';
  expect((await engine.indexFolder(folder)).failed).toEqual([{ key: 'a.html', reason }]);
});

test('a text in which ISO-8859-1 lacks every other character crashes no process', async () => {
  const engine = await engineOf();
  // More than V8 can note replacements of; with a byte at the end that Windows-1252 lacks.
  const bytes = Buffer.alloc(48 << 20, windows1252('a–'));
  const beginning = windows1252(FRENCH.repeat(1_000));
  bytes.set(beginning);
  bytes[bytes.length - 1] = 0x81;
  const reason = 'it is not UTF-8: save it as UTF-8';
  expect((await engine.indexFolder(folderOf({ 'a.txt': bytes }))).failed).toEqual([{ key: 'a.txt', reason }]);
});

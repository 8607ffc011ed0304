import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryTerms } from '#src/text/query-terms.js';
import { termsOf } from '#src/text/terms.js';

test.each([
  ['words are folded', 'The Retry LIMIT', ['the', 'retry', 'limit']],
  ['accents are removed', 'Café résumé Ångström Йод', ['cafe', 'resume', 'angstrom', 'иод']],
  ['compatibility forms are replaced', 'ﬁle ４２', ['file', '42']],
  ['dotless i is folded', 'ısı ISPARTA İstanbul', ['isi', 'isparta', 'istanbul']],
  [
    'letters that are no other letter with a mark are folded, too',
    'Łódź cœur Œuvre CŒUR VERTEBRÆ Straße STRAßE øre Æbler ÆRØ þing eða',
    ['lodz', 'coeur', 'oeuvre', 'coeur', 'vertebrae', 'strasse', 'strasse', 'ore', 'aebler', 'aero', 'thing', 'eda'],
  ],
  ['vowel points of Arabic are removed', 'مُحَمَّد القُرْآنُ', ['محمد', 'القران']],
  ['hamza on its seat is removed', 'أحمد إسلام مسؤول', ['احمد', 'اسلام', 'مسوول']],
  ['tatweel is removed', 'كـــتاب', ['كتاب']],
  ['vowel points of Hebrew are removed', 'שָׁלוֹם', ['שלום']],
  ['Hindi words keep their vowel signs', 'हिन्दी में लिखता हूँ', ['हिन्दी', 'में', 'लिखता', 'हूँ']],
  ['Bengali words keep their vowel signs', 'বাংলা নিবন্ধ', ['বাংলা', 'নিবন্ধ']],
  ['Tamil words keep their vowel signs', 'தமிழ் மொழி', ['தமிழ்', 'மொழி']],
  ['Telugu words keep their vowel signs', 'తెలుగు భాష', ['తెలుగు', 'భాష']],
  ['Tibetan syllables keep their vowel signs', 'བོད་སྐད', ['བོད', 'སྐད']],
  ['a name in an Indic script, by its parts', 'हिन्दी_भाषाName', ['हिन्दी_भाषाname', 'हिन्दी', 'भाषा', 'name']],
  ['joiners behind a mark of an Indic letter are removed', 'ශ්\u200dරී ಸಾಫ್ಟ್\u200cವೇರ್', ['ශ්රී', 'ಸಾಫ್ಟ್ವೇರ್']],
  ['joiners before a mark of an Indic letter are removed', 'র\u200d্য', ['র্য']],
  ['joiners between Persian letters separate words', 'صفحه\u200cها', ['صفحه', 'ها']],
  ['variation selectors and keycaps are removed', '葛\u{E0100}城 1\ufe0f\u20e3', ['葛城', '1']],
  ['soft hyphens and word joiners are removed', 'co\u00adoperation foo\u2060bar', ['cooperation', 'foobar']],
  ['a byte order mark is removed', '\ufeffkettle\ufeffs', ['kettles']],
  [
    'joiners behind Latin, Greek and Cyrillic letters are removed',
    'Auf\u200clage é\u200dθ и\u200cй',
    ['auflage', 'eθ', 'ии'],
  ],
  [
    'zero-width spaces within a name are removed',
    'node\u200b.js max_\u200b2',
    ['node.js', 'node', 'js', 'max_2', 'max', '2'],
  ],
  ['zero-width spaces between Thai words separate them', 'ที่\u200bนี่ ไป\u200b\u200bมา', ['ที่', 'นี่', 'ไป', 'มา']],
  ['voicing marks of kana are kept', 'ｶﾞ か\u3099 は', ['ガ', 'が', 'は']],
  [
    'apostrophes and possessives are removed',
    "server's don't l’eau o'sullivan",
    ['server', 'dont', 'leau', 'osullivan'],
  ],
  ['apostrophes that are letters, and geresh, are removed', 'обʼєкт ג׳ירפה', ['обєкт', 'גירפה']],
  ['a name is a term as typed and by part', 'max_connections', ['max_connections', 'max', 'connections']],
  ['a flag loses its dashes', '--dry-run -v', ['dry-run', 'dry', 'run', 'v']],
  [
    'an error code',
    'ERR_STREAM_PREMATURE_CLOSE',
    ['err_stream_premature_close', 'err', 'stream', 'premature', 'close'],
  ],
  ['camelCase', 'camelCaseName', ['camelcasename', 'camel', 'case', 'name']],
  ['capitals in front of a word', 'HTTPServer', ['httpserver', 'http', 'server']],
  ['a dotted name', 'node.js server.host', ['node.js', 'node', 'js', 'server.host', 'server', 'host']],
  ['names that end in punctuation', 'C++ and C#', ['c++', 'and', 'c#']],
  ['a name with a # inside', 'guide#setup', ['guide#setup', 'guide', 'setup']],
  ['a name that ends in an underscore', 'type_', ['type_', 'type']],
  ['version numbers, with and without a v', 'v1.2.3 or 20.11', ['v1.2.3', '1.2.3', 'or', '20.11']],
  [
    'a name that begins or ends with a number, by its parts',
    'ubuntu20.04 2.x',
    ['ubuntu20.04', 'ubuntu20', '04', '2.x', '2', 'x'],
  ],
  ['a path, by its parts', 'docs/guide.md', ['docs', 'guide.md', 'guide', 'md']],
  ['a call', 'fetch(url)', ['fetch', 'url']],
  ['a full stop is not part of a word', 'Stop. Go.', ['stop', 'go']],
  ['Chinese', '数据库连接', ['数据', '库', '连接']],
  ['Japanese', '設定を変更する', ['設定', 'を', '変更', 'する']],
  ['Korean, by word and by pairs', '서버를 다시', ['서버를', '서버', '버를', '다시']],
  ['Thai', 'การเชื่อมต่อ', expect.arrayContaining(['การ', 'เชื่อม'])],
  ['Thai, by pairs of characters with their marks', 'ที่นี่', ['ที่', 'นี่']],
  ['full stops of scripts without spaces are no terms', 'ពិភព។ 数据。', ['ពិភព', 'ពិភ', 'ភព', '数据']],
  ['a name next to Japanese', 'GitHubの設定', ['github', 'git', 'hub', 'の', '設定']],
  ['names next to Chinese', '使用Docker部署node.js服务', ['使用', 'docker', '部署', 'node.js', 'node', 'js', '服务']],
  ['a name with a Korean particle', 'C++를', ['c++', '를']],
  ['punctuation alone gives no terms', '--- "" ++ ___', []],
  ['nothing', '', []],
])('%s: %s', (_, text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test.each(['a', 'ж', 'ไ'])('a term has at most 80 characters: %s', (character) => {
  expect(termsOf(character.repeat(80))).toContain(character.repeat(80));
  expect(termsOf(character.repeat(81))).not.toContain(character.repeat(81));
});

test('a query drops its stop words, unless it has nothing else', () => {
  expect(queryTerms('How can I rotate the keys?').terms).toEqual(['can', 'rotate', 'keys']);
  expect(queryTerms('to be or not to be').terms).toEqual(['to', 'be', 'or', 'not']);
  // Words that distinguish questions stay.
  expect(queryTerms('only once after the same call').terms).toEqual(['only', 'once', 'after', 'same', 'call']);
});

test('a query has each term once', () => {
  expect(queryTerms('retry Retry RETRY').terms).toEqual(['retry']);
});

test('quoted words are a phrase, and terms too', () => {
  expect(queryTerms('what does "connection reset" mean')).toEqual({
    terms: ['does', 'connection', 'reset', 'mean'],
    phrases: [['connection', 'reset']],
  });
  expect(queryTerms('an "unclosed quote').phrases).toEqual([]);
});

test('one quoted word is a term, not a phrase', () => {
  expect(queryTerms('a "timeout" here')).toEqual({ terms: ['timeout', 'here'], phrases: [] });
});

test('a query has its first 32 terms and phrases, without the others', () => {
  const words = 'b c d e f g h j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7';
  expect(queryTerms(`${words} 8`).terms).toEqual(words.split(' '));
  const quoted = words.replaceAll(/\w/g, '"$& retries"');
  expect(queryTerms(`${quoted} "8 retries"`).phrases).toEqual(words.split(' ').map((word) => [word, 'retries']));
});

test('the terms of two joined texts are the terms of the first, then those of the second', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(termsOf(`${a}\n${b}`)).toEqual([...termsOf(a), ...termsOf(b)]);
    }),
  );
});

test('terms have no whitespace and no quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const term of termsOf(text)) expect(term).toMatch(/^[^\s"\p{Z}]+$/u);
    }),
  );
});

test.each([
  ['that stay', 'a', '\u05b0\u0591', 'b'],
  ['that are removed', 'a', '\u0301\u0316', 'b'],
  ['in halfwidth form', 'カ', '\uff9e\u05b0', 'ナ'],
])('marks beyond the first 30 on a character do not count: marks %s', (_, before, marks, after) => {
  const marked = (number: number) => `x ${before}${marks.repeat(number / 2)}${after} y`;
  expect(termsOf(marked(20_000))).toEqual(termsOf(marked(30)));
});

test('joiners take linear time, however many there are', () => {
  expect(termsOf(`क्${'\u200d'.repeat(1_000_000)}ष`)).toEqual(['क्', 'ष']);
});

test('a run of a script without spaces has terms, however long it is', () => {
  const thai = termsOf('การเชื่อมต่อ'.repeat(2_000));
  expect(thai.length).toBeGreaterThan(2_000);
  expect(thai).toContain('การ');
});

test.each(['a', 'ж', '७'])('a text has terms, however many times a word in it repeats %s', (character) => {
  expect(termsOf(`before ${character.repeat(5_000_000)} after`)).toEqual(['before', 'after']);
});

test('a name has terms, however many parts it has', () => {
  const terms = termsOf('aB'.repeat(200_000));
  expect([terms.length, new Set(terms)]).toEqual([200_001, new Set(['a', 'ba', 'b'])]);
});

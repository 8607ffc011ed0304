import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CutPassage, cutFiles } from '../../bench/passages/cut-files.js';
import { judge } from '../../bench/passages/faults.js';
import { fenceFault } from '../../bench/passages/judge/fences.js';
import { partedBlock } from '../../bench/passages/judge/introductions.js';
import { scanLines } from '../../bench/passages/judge/lines.js';
import { marksIn, withoutBreadcrumb } from '../../bench/passages/judge/marks.js';
import { readableIn, wordsIn } from '../../bench/passages/judge/readable.js';
import { Source } from '../../bench/passages/judge/source.js';
import { corporaOf, mapFaults, measureFaults } from '../../bench/passages/measure.js';
import { passagesReport } from '../../bench/passages/report.js';
import { folderOf } from '../support/folder.js';

function md(...lines: string[]): Source {
  return new Source('a.md', lines.join('\n'));
}

function mdx(...lines: string[]): Source {
  return new Source('a.mdx', lines.join('\n'));
}

/** Where a part is in a source. */
function at({ text }: Source, part: string) {
  const start = text.indexOf(part);
  if (start < 0) throw new Error(`${part} is missing`);
  return { start, end: start + part.length };
}

function all({ text }: Source) {
  return { start: 0, end: text.length };
}

describe('lines', () => {
  const kinds = (text: string[], options = { mdx: false, whole: true }) =>
    scanLines(text.join('\n'), options).lines.map(({ kind }) => kind);

  it.each([
    ['a fence', ['```js', 'x', '', '~~~', '```', 'y'], 'open code code code close text'],
    ['a fence that only a longer one closes', ['````', '```', '`````'], 'open code close'],
    ['backticks in an info string', ['``` a`b', 'x'], 'text text'],
    ['a fence in a quote', ['> ```', '> x', '> ```', 'y'], 'open code close text'],
    ['a quote that ends its fence', ['> ```', '> x', 'y'], 'open code text'],
    ['a fence in an item', ['- a', '', '  ```', '  x', '  ```', 'y'], 'text blank open code close text'],
    ['a fence as an item', ['1. ```', '   x', '   ```'], 'open code close'],
    ['an item in an item', ['- - ~~~', '    x', '    ~~~'], 'open code close'],
    ['a closing fence that is too deep', ['```', 'x', '    ```'], 'open code code'],
    ['indented code', ['a', '', '    ```', '', 'b'], 'text blank indented blank text'],
    ['a continued paragraph', ['a', '    b'], 'text text'],
    ['a tab of MkDocs', ['=== "a"', '', '    ```', '    x', '    ```'], 'text blank open code close'],
    ['a comment', ['<!-- a', '```', '-->', 'b'], 'comment comment comment text'],
    ['a comment with text after it', ['<!-- a --> b'], 'text'],
    ['a script', ['<script>', '```', '</script>'], 'hidden hidden hidden'],
    ['a comment of Liquid', ['{% comment %}', 'a', '{% endcomment %}'], 'comment comment comment'],
    ['front matter', ['---', 'a: ```', '---', 'b'], 'hidden hidden hidden text'],
  ])('%s', (_, text, expected) => {
    expect(kinds(text).join(' ')).toBe(expected);
  });

  it('of MDX: imports and exports, comments, and no indented code', () => {
    const text = ["import A from 'a'", 'export const b = {', '}', '', '    c', '{/* d', '*/}', '    ```', '    ```'];
    const expected = ['module', 'module', 'module', 'blank', 'text', 'comment', 'comment', 'open', 'close'];
    expect(kinds(text, { mdx: true, whole: true })).toEqual(expected);
    expect(kinds(['import the goods from a ship'], { mdx: true, whole: true })).toEqual(['text']);
    expect(kinds(["import A from 'a'"], { mdx: true, whole: false })).toEqual(['text']);
  });

  it('say whether a fence is left open', () => {
    const unclosed = (text: string) => scanLines(text, { mdx: false }).unclosed;
    expect(unclosed('```\na')).toBe(true);
    expect(unclosed('> ```\n> a\n\nb')).toBe(true);
    expect(unclosed('a\n```')).toBe(true);
    expect(unclosed('```\na\n```')).toBe(false);
  });
});

describe('readable words', () => {
  const words = (text: string) => {
    const source = md(text);
    return wordsIn(source, all(source));
  };

  it.each([
    ['[a link](./to "a title") and ![alt text](x.png)', 5],
    ['https://example.org/a/b <mailto:a@b.example>', 0],
    ['[a]: ./b\n[^1]: A note.', 2],
    ['<!-- no --> {% page "no" %} {{< no >}} <no class="no"> yes', 1],
    ['<Card title="Two words" href="no" />', 2],
    ['`<tag>` and `{% raw %}`', 3],
    ['```sh\nnpm install\n```', 2],
    ['| a | b |\n|---|---|\n| c | d |', 4],
    [']}]}}', 0],
    ['&nbsp; {#anchor}', 0],
    ['これは', 3],
    ['f'.repeat(90), 3],
  ])('of %s', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it('are those of a range', () => {
    const source = md('One <b title="two">three</b> four.', '', 'Five.');
    expect(readableIn(source, at(source, 'title="two">three</b> four.'))).toBe(' two three   four.');
  });
});

describe('the fences of a passage', () => {
  const source = md('Run:', '', '```sh', 'one', 'two', 'three', '```', '', '- Then:', '', '      ```', 'End.');
  const fault = (part: string, shown = part) => fenceFault(source, at(source, part), { shown });

  it('are in order, or left open', () => {
    expect(fault('```sh\none\ntwo\nthree\n```')).toBeUndefined();
    expect(fault('Run:\n\n```sh\none')).toBe('unclosed');
    expect(fault('three\n```')).toBe('unclosed');
  });

  it('are missing around the middle of a block', () => {
    expect(fault('two')).toBe('inverted');
    expect(fault('two', '```sh\ntwo\n```')).toBeUndefined();
    expect(fault('Run:', '```\nRun:\n```')).toBe('inverted');
  });

  it('are judged without the indentation of their place', () => {
    const item = md('1. a', '   - b', '', '     ```', '     c', '     ```');
    const part = '```\n     c\n     ```';
    expect(fenceFault(item, at(item, part), { shown: part })).toBe('indented');
    const tab = md('=== "a"', '', '    ```', '    c', '    ```');
    const inside = '    ```\n    c\n    ```';
    expect(fenceFault(tab, at(tab, inside), { shown: inside })).toBe('indented');
  });
});

describe('an introduction', () => {
  const parted = (source: Source, first: string, second: string) =>
    partedBlock(source, [at(source, first), at(source, second)]);

  it.each([
    ['list', ['- a', '  more', '- b', '', 'End.'], '- a\n  more', '- a\n  more\n- b'],
    ['list', ['1. a', '', '   b', '2. c'], '1. a\nb', '1. a\nb\n2. c'],
    ['table', ['| a |', '|---|', '| b |', '| c |'], '| a |\n|---|\n| b |', '| a |\n|---|\n| b |\n| c |'],
    ['code', ['```', 'a', 'b', 'c', '```'], 'a\nb', 'a\nb\nc'],
    ['code', ['    a', '    b'], 'a', 'a\nb'],
  ])('that is separated from a %s is found', (kind, block, beginning, whole) => {
    const source = md('First. These are **it:**', '', ...block);
    const found = parted(source, 'First. These are **it:**', block.join('\n'));
    expect(found?.kind).toBe(kind);
    // Indentation is left as it is.
    const without = (text = '') => text.replace(/^ +(?=[ab]$)/gm, '');
    expect(without(found?.beginning)).toBe(`These are **it:**\n${beginning}`);
    expect(without(found?.whole)).toBe(`These are **it:**\n${whole}`);
  });

  it('that is separated from code is found across tags and comments that no reader sees', () => {
    const source = mdx('Run:', '', '<Tabs>', '{/* x */}', '```sh', 'a', '```', '</Tabs>');
    expect(parted(source, 'Run:', '<Tabs>\n{/* x */}\n```sh\na\n```')?.kind).toBe('code');
  });

  it('is not text without a colon, a colon in code, or text before a quote or a paragraph', () => {
    const source = md('A.', '', '- b', '', '```', 'c:', '```', '', '- d', '', 'E:', '', '> - f', '', 'G:', '', 'h');
    expect(parted(source, 'A.', '- b')).toBeUndefined();
    expect(parted(source, '```\nc:\n```', '- d')).toBeUndefined();
    expect(parted(source, 'E:', '> - f')).toBeUndefined();
    expect(parted(source, 'G:', 'h')).toBeUndefined();
  });
});

describe('marks in an embedded text', () => {
  const marks = (source: Source, embedded = source.text) => marksIn(source, all(source), { embedded });

  it.each([
    ['template', md('See [it]({% page "/a" %}).')],
    ['template', md('a {{< b >}}')],
    ['template', md('a {{% b %}}')],
    ['template', md('{{#include a.rs}}')],
    ['component', mdx('<Fragment slot="a">', 'b', '</Fragment>')],
    ['component', mdx('<Code on={() => <b>{"}"}</b>} />')],
    ['html', md('a <kbd>b</kbd>')],
    ['comment', md('a <!-- b -->')],
    ['comment', mdx('a {/* b */}')],
    ['module', mdx("import A from 'a'")],
  ])('are found: %s, %#', (mark, source) => {
    expect(marks(source)).toContain(mark);
    expect(marks(source, 'See a b.')).toEqual([]);
  });

  it('are not reported where a reader sees them', () => {
    expect(marks(md('`<Image />`, ``{% a %}``, \\<Image />, &lt;b&gt;', '', '```', '<!-- a -->', '```'))).toEqual([]);
    expect(marks(md('<https://example.org> <a@b.example> a < b > c {{ d }}'))).toEqual([]);
  });

  it('are reported if a reader sees only some of them', () => {
    const source = md('`<Image />` is <Image />');
    expect(marks(source, '<Image /> is')).toEqual([]);
    expect(marks(source, '<Image /> is <Image />')).toEqual(['component']);
  });

  it('are not searched for in the breadcrumb', () => {
    expect(withoutBreadcrumb('A > <b>\nc', ['A', '<b>'])).toBe('c');
    expect(withoutBreadcrumb('<b>\nc', ['A', '<b>'])).toBe('c');
    expect(withoutBreadcrumb('c\nd', ['A'])).toBe('c\nd');
  });
});

describe('the passages of a corpus', () => {
  const text = ['# A', '', 'Words here too.', '', '## B', '', 'Words enough, and a <b>{% mark %}</b>.', ''].join('\n');

  it('come with the text that is embedded for each', async () => {
    const [file] = await cutFiles([
      { key: 'a.md', text: `${text}\n## C\n\nThe same again.\n\n## C\n\nThe same again.\n` },
    ]);
    expect(file?.passages.map(({ embedded }) => embedded)).toEqual([
      'A\nWords here too.',
      'A > B\nWords enough, and a .',
      'A > C\nThe same again.',
      'A > C\nThe same again.',
    ]);
  });

  it('are judged as they are shown', async () => {
    const source = 'Run it like this:\n\n```\na b c\nd e f\n```\n';
    const lines = {
      position: 0,
      startLine: 1,
      endLine: 4,
      id: '',
      breadcrumb: [],
      subtype: 'code',
      embedded: 'a',
    } as const;
    const content = source.slice(0, 28);
    const passage: CutPassage = { ...lines, start: 0, end: 28, content, display: content };
    const countTokens = async (one: string) => one.split(/\s+/).length;
    const faultsOf = async (one: CutPassage) =>
      judge([{ key: 'a.md', text: source, passages: [one] }], { countTokens });
    expect((await faultsOf(passage)).unclosed).toEqual([{ key: 'a.md', startLine: 1, endLine: 4 }]);
    expect((await faultsOf({ ...passage, display: `${content}\n\`\`\`` })).unclosed).toEqual([]);
  });

  it('are counted and reported', async () => {
    const folder = folderOf();
    mkdirSync(path.join(folder, 'one'));
    // A file of one word can only be a passage of one word.
    writeFileSync(path.join(folder, 'one', 'a.md'), 'TBD\n');
    writeFileSync(path.join(folder, 'one', 'b.md'), text);
    const corpora = await measureFaults(corporaOf(folder), { examples: 1 });
    const faults = { ...mapFaults(() => 0), few: 1 };
    const examples = { few: [{ key: 'a.md', startLine: 1, endLine: 1 }] };
    expect(corpora).toEqual([{ corpus: 'one', files: 2, passages: 3, faults, examples }]);
    const spent = { seconds: 3, cpu: 4 };
    const reading = {
      files: 1,
      bytes: 2_000_000,
      rounds: [{ reading: spent, remark: { one: { seconds: 1.5, cpu: 2 }, two: { seconds: 1, cpu: 2 } } }],
      times: 3,
    };
    const answers = [{ corpus: 'one', questions: 2, lines: 7.5 }];
    const report = passagesReport({ corpora, answers, reading });
    expect(report).toMatch(/^fewer than 3 readable words +1 +1$/m);
    expect(report).toMatch(/^ {2}one\/a\.md:1-1$/m);
    expect(report).toMatch(/^total +2 +7\.5$/m);
    expect(report).toMatch(/^MISSED {2}passages: fewer than 3 readable words: 1 \(target: at most 0\)$/m);
    expect(report).toMatch(/^read, cut and store +3\.00 +4\.00$/m);
    expect(report).toContain('MISSED  reading to two threads of bare remark: 3 (target: at most 2), by round: 3.00');
    expect(report).toContain('Reading takes 4.00 times half of what one thread takes, which uses more than one core.');
  });
});

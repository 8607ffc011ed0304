import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { SearchEngine } from 'waymark';
import { TORTURE } from '../reliability/torture.js';
import { engineOf } from '../support/engine.js';
import { folderOf } from '../support/folder.js';
import { docxOf, mappedPdf, paragraph, pdfOf, zipOf } from '../support/office-files.js';

async function best(engine: SearchEngine, query: string) {
  const [hit] = await engine.search(query, { limit: 1 });
  const { content, breadcrumb, pageNumber } = hit?.passage ?? {};
  return [content, breadcrumb, pageNumber];
}

test('a PDF is found by its text, with headings by the size of letters and the number of the page', async () => {
  const engine = await engineOf();
  const pdf = pdfOf(
    [
      ['Kettle guide', 24, 740],
      ['All about kettles and their lids, from the', 12, 700],
      ['first day to the last.', 12, 686],
      ['# is no heading here, and neither is this line.', 12, 650],
    ],
    [
      ['Care', 16, 740],
      ['Descale it with vinegar once a month.', 12, 700],
    ],
    [['Tea is best at eighty degrees.', 12, 700]],
  );
  expect(await engine.indexFolder(folderOf({ 'kettle.pdf': pdf }))).toMatchObject({ added: 1, failed: [] });
  expect(await best(engine, 'kettles and lids')).toEqual([
    'All about kettles and their lids, from the\nfirst day to the last.\n\n # is no heading here, and neither is this line.',
    ['Kettle guide'],
    1,
  ]);
  expect(await best(engine, 'descale vinegar')).toEqual([
    'Descale it with vinegar once a month.',
    ['Kettle guide', 'Care'],
    2,
  ]);
  expect(await best(engine, 'tea degrees')).toEqual(['Tea is best at eighty degrees.', ['Kettle guide', 'Care'], 3]);
});

test('a Word document is found by its text, as HTML with its headings and tables', async () => {
  const engine = await engineOf();
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const docx = docxOf(
    [
      paragraph('Kettle guide', 'Heading1'),
      paragraph('All about kettles &amp; their lids.'),
      paragraph('Care', 'Heading2'),
      paragraph('Descale it with vinegar once a month.'),
      `<w:tbl><w:tr>${cell('Small')}${cell('1 litre')}</w:tr></w:tbl>`,
    ].join(''),
  );
  expect(await engine.indexFolder(folderOf({ 'kettle.docx': docx }))).toMatchObject({ added: 1, failed: [] });
  expect((await best(engine, 'kettles lids')).slice(0, 2)).toEqual([
    '<p>All about kettles &amp; their lids.</p>',
    ['Kettle guide'],
  ]);
  const [content, breadcrumb] = await best(engine, 'descale vinegar litre');
  expect(content).toMatch(/^<p>Descale it with vinegar once a month\.<\/p>\n<table><tr><td><p>Small<\/p>/);
  expect(breadcrumb).toEqual(['Kettle guide', 'Care']);
});

test('an unchanged document is not embedded again, a changed one is', async () => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.pdf': pdfOf([['Kettles boil water quickly.', 12, 700]]) });
  await engine.indexFolder(folder);
  expect(await engine.indexFolder(folder, { verify: true })).toMatchObject({ unchanged: 1, updated: 0 });
});

const DEEP = 500;
const BOMB = zipOf({ 'word/document.xml': Buffer.alloc(80 << 20) });
/** The directory says that the bomb is small. */
const HIDDEN_BOMB = Buffer.from(BOMB);
HIDDEN_BOMB.writeUInt32LE(10, HIDDEN_BOMB.lastIndexOf('PK\x01\x02') + 24);
/** The directory counts one file and lists two, which is what other readers read. */
const UNCOUNTED_BOMB = zipOf({ 'a.txt': 'small', 'word/document.xml': Buffer.alloc(80 << 20) });
UNCOUNTED_BOMB.writeUInt16LE(1, UNCOUNTED_BOMB.lastIndexOf('PK\x05\x06') + 10);

const run = (text: string) => `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><m:t>${text}</m:t></m:r>`;
const e = (text: string) => `<m:e>${run(text)}</m:e>`;
const bounds = `<m:sub>${run('k=1')}</m:sub><m:sup>${run('n')}</m:sup>`;

test.each([
  ['a fraction', `<m:f><m:num>${run('a+b')}</m:num><m:den>${run('2')}</m:den></m:f>`, '(a+b)/2'],
  ['scripts', `<m:sSubSup>${e('x')}<m:sub>${run('i')}</m:sub><m:sup>${run('n+1')}</m:sup></m:sSubSup>`, 'x_i^(n+1)'],
  ['a root', `<m:rad><m:deg>${run('3')}</m:deg>${e('8')}</m:rad>`, '3√8'],
  ['a sum', `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${bounds}${e('k')}</m:nary>`, '∑_(k=1)^n k'],
  ['brackets', `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>${e('x &lt; 1')}</m:d>`, '[x &lt; 1]'],
  ['a function', `<m:func><m:fName>${run('sin')}</m:fName>${e('x')}</m:func>${run('=0')}`, 'sin x=0'],
  [
    'a binomial',
    `<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${run('n')}</m:num><m:den>${run('k')}</m:den></m:f>`,
    'n choose k',
  ],
  ['scripts before', `<m:sPre><m:sub>${run('6')}</m:sub><m:sup>${run('14')}</m:sup>${e('C')}</m:sPre>`, '_6^14C'],
  ['aligned lines', `<m:eqArr>${e('x&amp;=1')}${e('y&amp;=2')}</m:eqArr>`, 'x=1; y=2'],
  ['two equations', `${run('a=b')}</m:oMath><m:oMath>${run('c=d')}`, 'a=b; c=d'],
  ['a deletion', `<w:del w:id="1">${run('old')}</w:del>${run('new')}`, 'new'],
  ['a matrix', `<m:m><m:mr>${e('1')}${e('0')}</m:mr><m:mr>${e('0')}${e('1')}</m:mr></m:m>`, '1 0; 0 1'],
])('an equation in a Word document is a line of text: %s', async (_, equation, text) => {
  const engine = await engineOf();
  const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  const inline = `${paragraph('Kettles boil at ').replace('</w:p>', '')}<m:oMath ${math}>${equation}</m:oMath></w:p>`;
  const displayed = `<w:p><m:oMathPara ${math}><m:oMath>${equation}</m:oMath></m:oMathPara></w:p>`;
  expect(await engine.indexFolder(folderOf({ 'a.docx': docxOf(inline + displayed) }))).toMatchObject({ failed: [] });
  const [hit] = await engine.search('kettles boil');
  expect(hit?.passage.display?.split('\n')).toEqual([`<p>Kettles boil at ${text}</p>`, `<p>${text}</p>`]);
});

test.each([
  ['a.pdf', 'nothing of the kind', 'it is not a PDF, or it is damaged: save it again'],
  [
    'b.pdf',
    pdfOf([['A PDF that is cut off', 12, 700]]).subarray(0, 60),
    'it is not a PDF, or it is damaged: save it again',
  ],
  ['c.pdf', pdfOf('0 0 m 10 10 l S'), 'it contains no text: if it is a scan, add a text layer with OCR software first'],
  ['a.docx', 'nothing of the kind', 'it is not a Word document, or it is damaged: save it again as .docx'],
  ['b.docx', zipOf({ 'a.txt': 'no document' }), 'it is not a Word document, or it is damaged: save it again as .docx'],
  ['c.docx', BOMB, 'The text must have at most 64 MB, also once it is unpacked: split it'],
  ['d.docx', HIDDEN_BOMB, 'The text must have at most 64 MB, also once it is unpacked: split it'],
  ['e.docx', UNCOUNTED_BOMB, 'it is not a Word document, or it is damaged: save it again as .docx'],
  [
    'f.docx',
    docxOf('<w:sdt><w:sdtContent>'.repeat(DEEP) + '</w:sdtContent></w:sdt>'.repeat(DEEP)),
    'word/document.xml in it is nested more than 250 levels deep: save it again',
  ],
])('%s fails alone, with a reason', async (key, content, reason) => {
  const engine = await engineOf();
  const folder = folderOf({ [key]: content, 'z.md': 'A kettle.' });
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [{ key, reason }] });
});

// V8 ends a process where one table of its heap doubles far beyond its limit.
test.runIf(TORTURE)('a PDF whose letters stand for long texts is refused, and only its parser ends', async () => {
  const engine = await engineOf();
  const map = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange
1 beginbfchar <0001> <${'0041'.repeat(20_000)}> endbfchar endcmap`;
  const folder = folderOf({ 'a.pdf': mappedPdf(map, '0001'.repeat(20_000)), 'z.md': 'A kettle.' });
  const reason = expect.stringMatching(/^its text could not be extracted (?:within|with) .*: split the PDF$/);
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [{ key: 'a.pdf', reason }] });
});

// It takes a gigabyte of memory.
test.runIf(TORTURE)('a PDF that unpacks to a gigabyte is refused within the limits of time and memory', async () => {
  const engine = await engineOf();
  const folder = folderOf({ 'a.pdf': pdfOf(deflateSync(Buffer.alloc(1 << 30, ' '))), 'z.md': 'A kettle.' });
  const reason = expect.stringMatching(/^its text could not be extracted (?:within|with) .*: split the PDF$/);
  expect(await engine.indexFolder(folder)).toMatchObject({ added: 1, failed: [{ key: 'a.pdf', reason }] });
});

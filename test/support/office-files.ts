import { deflateRawSync } from 'node:zlib';

/** A zip file of deflated entries, whose directory may claim other sizes. */
export function zipOf(entries: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const [bytes, path] = [Buffer.from(content), Buffer.from(name)];
    const packed = deflateRawSync(bytes);
    // Version, flags, method, time, checksum, sizes, length of the name, length of the extra field.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, path);
    offset += 30 + path.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const RELATIONS = `<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`;
const STYLES = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>`;

/** A Word document with a body of WordprocessingML. */
export function docxOf(body: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return zipOf({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': RELATIONS,
    'word/styles.xml': STYLES,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
  });
}

/** A paragraph of a Word document, with the id of its style if it has one. */
export function paragraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : '';
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A line of a PDF: its text, the size of its letters, and its place above the bottom of the page, in points. */
export type PdfLine = readonly [text: string, size: number, y: number];

/** A PDF with some lines on each page, or with a content stream of its own: operators, or bytes that are deflated. */
export function pdfOf(...pages: readonly (readonly PdfLine[] | string | Uint8Array)[]): Buffer {
  const objects: string[] = [];
  const add = (text: string) => objects.push(text);
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [i, lines] of pages.entries()) {
    const isDeflated = lines instanceof Uint8Array;
    const content = isDeflated
      ? Buffer.from(lines).toString('latin1')
      : typeof lines === 'string'
        ? lines
        : lines.map(([text, size, y]) => `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET`).join('\n');
    const resources = '/Resources << /Font << /F1 3 0 R >> >>';
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * i} 0 R ${resources} >>`);
    add(`<< /Length ${content.length} ${isDeflated ? '/Filter /FlateDecode ' : ''}>>\nstream\n${content}\nendstream`);
  }
  return pdfFrom(objects);
}

/** A PDF that shows some codes of a font, as hex, with a map of its codes to characters. */
export function mappedPdf(map: string, codes: string): Buffer {
  const described = '/Encoding /Identity-H /ToUnicode 7 0 R';
  return compositePdf(codes, { described, collection: '/Registry (A) /Ordering (I)', objects: [streamOf(map)] });
}

/** A PDF that shows some codes of a Japanese font, as hex, in an encoding of which it has the name only. */
export function japanesePdf(encoding: string, codes: string): Buffer {
  const collection = '/Registry (Adobe) /Ordering (Japan1)';
  return compositePdf(codes, { described: `/Encoding /${encoding}`, collection, objects: [] });
}

/** A PDF that shows some codes of a composite font, which may refer to further objects, from 7 on. */
function compositePdf(
  codes: string,
  { described, collection, objects }: { described: string; collection: string; objects: readonly string[] },
): Buffer {
  const font = '<< /Type /Font /BaseFont /H';
  const descriptor = '<< /Type /FontDescriptor /FontName /H /Flags 4 >>';
  return pdfFrom([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    `${font} /Subtype /Type0 ${described} /DescendantFonts [6 0 R] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    streamOf(`BT /F1 12 Tf 72 700 Td <${codes}> Tj ET`),
    `${font} /Subtype /CIDFontType2 /CIDSystemInfo << ${collection} /Supplement 0 >> /FontDescriptor ${descriptor} >>`,
    ...objects,
  ]);
}

function streamOf(text: string): string {
  return `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
}

function pdfFrom(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}

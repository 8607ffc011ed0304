import { expect, test } from 'vitest';
import extractPdf from '#src/formats/pdf/extract-pdf.js';
import { japanesePdf } from '../support/office-files.js';

test('reading several PDFs at once leaves the console as it was', async () => {
  const { log } = console;
  const broken = () => extractPdf(new Uint8Array([1, 2, 3])).catch(({ message }: Error) => message);
  const reason = 'it is not a PDF, or it is damaged: save it again';
  expect(await Promise.all([broken(), broken()])).toEqual([reason, reason]);
  expect(console.log).toBe(log);
});

test('a font may name a table of characters instead of having one', async () => {
  expect(await extractPdf(japanesePdf('UniJIS-UCS2-H', '65E5672C8A9E'))).toBe('日本語');
  expect(await extractPdf(japanesePdf('90ms-RKSJ-H', '93FA967B8CEA'))).toBe('日本語');
});

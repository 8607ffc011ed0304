import { expect, test } from 'vitest';
import extractPdf from '#src/formats/pdf/extract-pdf.js';

test('reading several PDFs at once leaves the console as it was', async () => {
  const { log } = console;
  const broken = () => extractPdf(new Uint8Array([1, 2, 3])).catch(({ message }: Error) => message);
  const reason = 'it is not a PDF, or it is damaged: save it again';
  expect(await Promise.all([broken(), broken()])).toEqual([reason, reason]);
  expect(console.log).toBe(log);
});

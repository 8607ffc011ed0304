import { optionalPackage } from '../optional-package.js';
import { checkZip } from './check-zip.js';

/** Where a line ends in the HTML, so that passages have lines of their own. */
const BLOCK_END = /<\/(?:p|h[1-6]|li|tr|table|ul|ol)>(?=<)/g;

/**
 * The text of a Word document as HTML, without images. Throws an Error with the reason if it is too large or cannot be
 * read.
 */
export default async function extractDocx(bytes: Uint8Array): Promise<string> {
  checkZip(bytes);
  const { default: mammoth } = await optionalPackage('mammoth', { of: 'DOCX', load: () => import('mammoth') });
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const styleMap = ["p[style-name='Title'] => h1:fresh"];
  try {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage, styleMap });
    return value.replace(BLOCK_END, '$&\n');
  } catch (cause) {
    throw new Error('it is not a Word document, or it is damaged: save it again as .docx', { cause });
  }
}

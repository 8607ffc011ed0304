import { optionalPackage } from '../optional-package.js';
import { withEquations } from './equations.js';
import { storedZip, type ZipEntry } from './stored-zip.js';
import { unpack } from './unpack.js';

/** Where a line ends in the HTML, so that passages have lines of their own. */
const BLOCK_END = /<\/(?:p|h[1-6]|li|tr|table|ul|ol)>(?=<)/g;

/**
 * The text of a Word document as HTML, without images. Throws an Error with the reason if it is too large or cannot be
 * read.
 */
export default async function extractDocx(bytes: Uint8Array): Promise<string> {
  const buffer = readableByMammoth(bytes);
  const { default: mammoth } = await optionalPackage('mammoth', { of: 'DOCX', load: () => import('mammoth') });
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const styleMap = ["p[style-name='Title'] => h1:fresh"];
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, styleMap });
    return value.replace(BLOCK_END, '$&\n');
  } catch (cause) {
    throw new Error('it is not a Word document, or it is damaged: save it again as .docx', { cause });
  }
}

/** The document with its equations as text: mammoth leaves out what it does not know. */
function readableByMammoth(bytes: Uint8Array): Buffer {
  const entries = unpack(bytes);
  const hasEquations = ({ name, content }: ZipEntry) => name.endsWith('.xml') && content.includes('<m:oMath');
  if (!entries.some(hasEquations)) return Buffer.from(bytes);
  return storedZip(
    entries.map((entry) =>
      hasEquations(entry) ? { ...entry, content: Buffer.from(withEquations(entry.content.toString('utf8'))) } : entry,
    ),
  );
}

import { decodedBy, inParts } from './in-parts.js';
import { fromWindows1252 } from './windows-1252.js';

/**
 * Decodes the bytes of a text file that is not UTF-8 in the encoding that it declares by a name, as browsers do, a part
 * at a time; undefined if the encoding is unknown, or if the bytes are not in it.
 */
export async function decodeDeclared(bytes: Uint8Array, name: string): Promise<string | undefined> {
  const decoder = decoderOf(name);
  // Only UTF-16 and UTF-32 have null bytes in their letters, and a name in ASCII shows that it is neither.
  if (!decoder || decoder.encoding.startsWith('utf-') || bytes.includes(0)) return undefined;
  if (decoder.encoding === 'windows-1252') return inParts(bytes, fromWindows1252);
  try {
    return await decodedBy(decoder, bytes);
  } catch {
    return undefined;
  }
}

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch {
    return undefined;
  }
}

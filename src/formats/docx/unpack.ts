import { inflateRawSync } from 'node:zlib';
import { describeExcess } from '../../domain/excess.js';
import { LIMITS } from '../../domain/limits.js';
import type { ZipEntry } from './stored-zip.js';

// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DEFLATED = 8;

/** The most elements inside each other: readers of XML recurse into them. */
const DEEPEST = 250;

/**
 * The entries of a zip file. Throws an Error with the reason if it is larger than a file may be once it is unpacked,
 * whatever sizes it claims, or if an XML file in it is nested too deeply.
 */
export function unpack(bytes: Uint8Array): ZipEntry[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: ZipEntry[] = [];
  let room = LIMITS.file.value;
  for (const { name, content } of entriesOf(zip, () => room)) {
    room -= content.length;
    if (room < 0) throw tooLarge();
    if (/\.(?:xml|rels)$/i.test(name) && depthOf(content.toString('latin1')) > DEEPEST) {
      throw new Error(`${name} in it is nested more than ${DEEPEST} levels deep: save it again`);
    }
    entries.push({ name, content });
  }
  return entries;
}

function* entriesOf(zip: Buffer, room: () => number): Generator<ZipEntry> {
  try {
    const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
    if (zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new RangeError('The directory of the zip file is missing.');
    const count = zip.readUInt16LE(end + 10);
    let at = zip.readUInt32LE(end + 16);
    for (let i = 0; i < count; i++) {
      if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('An entry of the zip file is missing.');
      const packed = zip.readUInt32LE(at + 20);
      const local = zip.readUInt32LE(at + 42);
      const [nameLength, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ];
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const data = zip.subarray(start, start + packed);
      const content =
        zip.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(data, { maxOutputLength: room() + 1 }) : data;
      yield { name: zip.toString('utf8', at + 46, at + 46 + nameLength), content };
      at += 46 + nameLength + extra + comment;
    }
    if (at !== end || !isSingle(zip, end)) throw new RangeError('Other programs may find other entries in it.');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(cause);
    throw new Error('it is not a Word document, or it is damaged: save it again as .docx', { cause });
  }
}

/**
 * Whether all readers of zip files find the same directory from its end. Some go on after the last entry that is
 * counted, look elsewhere if the size is wrong, or prefer a directory of 64 bits.
 */
function isSingle(zip: Buffer, end: number): boolean {
  const [disk, diskOfDirectory, onDisk, count] = [4, 6, 8, 10].map((field) => zip.readUInt16LE(end + field));
  const [size = 0, start = 0] = [12, 16].map((field) => zip.readUInt32LE(end + field));
  return disk === 0 && diskOfDirectory === 0 && onDisk === count && count !== 0xffff && start + size === end;
}

function tooLarge(cause?: unknown): Error {
  return new Error(`${describeExcess({ limit: LIMITS.file })}, also once it is unpacked: split it`, { cause });
}

/** How many elements are inside each other at most. */
function depthOf(xml: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of xml.matchAll(/<[/\w][^>]*>?/g)) {
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>')) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}

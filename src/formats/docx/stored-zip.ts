/** A file in a zip file. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** A zip file whose entries are not compressed, for a reader that does not compare checksums: there are none. */
export function storedZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const path = Buffer.from(name);
    // Version, flags (names are UTF-8), method, time, checksum, both sizes, length of the name, of the extra field.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(10, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    files.push(Buffer.from('PK\x03\x04', 'latin1'), fields, path, content);
    directory.push(Buffer.from('PK\x01\x02\x0a\x00', 'latin1'), fields, place, path);
    offset += 30 + path.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

/** Bytes in which browsers look for the declaration. */
const HEAD = 1024;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

/** `<meta charset="shift_jis">`, `<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">` */
const META = /<meta\b[^>]*?[\s"';/]charset\s*=\s*["']?\s*([\w.:-]+)/i;

/** `<?xml version="1.0" encoding="Shift_JIS"?>` */
const XML = /^\s*<\?xml\b[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/i;

/** The name of the encoding that an HTML page declares at its beginning, if it declares one. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1').replace(COMMENT, '');
  return (META.exec(head) ?? XML.exec(head))?.[1];
}

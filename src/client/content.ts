import { z } from 'zod';
import { validate } from '../contract/validate.js';

const schema = z.object({
  content: z
    .union([z.string(), z.custom<Uint8Array>((given) => given instanceof Uint8Array)])
    .describe('a text or a Uint8Array'),
});

/** A file's content as bytes: of a text, UTF-8. Throws `INVALID_ARGUMENT`. */
export function bytesOf(given: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const { content } = validate(schema, { content: given });
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

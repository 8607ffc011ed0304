import { WaymarkError } from '../domain/errors.js';

/** What a server answered, with the whole body. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

/** Bytes of a body: an answer of 8 MB, each of whose characters JSON may escape with six. */
const LARGEST = 64 << 20;

/** Reads a response to its end. Throws `RESPONSE_INVALID` for a body of more than 64 MB. */
export async function replyOf(response: Response, { server }: { readonly server: string }): Promise<Reply> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) {
      const next = 'check that apiUrl is the address of a Waymark server';
      const message = `The server at ${server} answered with more than 64 MB: ${next}.`;
      throw new WaymarkError('RESPONSE_INVALID', message);
    }
    chunks.push(chunk);
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks));
  return { status: response.status, text, header: (name) => response.headers.get(name) ?? undefined };
}

/** The JSON of a reply; undefined if it is not JSON. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

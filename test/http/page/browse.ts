import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface Visited {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The HTML as it was sent. */
  readonly source: string;
  /** What is to be read on the page, without blanks around it. */
  readonly text: string;
}

/** Asks for a page as a browser without scripts does, with any headers. */
export async function visit(address: string | URL, headers: Record<string, string> = {}): Promise<Visited> {
  const sent = request(address, { headers });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end();
  });
  const source = await text(response);
  return { status: response.statusCode, headers: response.headers, source, text: readable(parse(source)) };
}

function readable(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(readable).join('').replace(/\s+/g, ' ').trim() : '';
}

import type { WaymarkErrorCode } from '../../../index.js';
import { keysAfter } from './keys-after.js';
import { protocolError } from './protocol-error.js';
import type { ReopeningEngine } from './reopening-engine.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  type Server,
} from './sdk.js';
import { shownValue } from './shown-value.js';

const SCHEME = 'waymark:///';

/** Resources on a page of a list. */
const PAGE = 100;

/** Offers each indexed file as the resource `waymark:///<key>`. */
export function addResources(server: Server, reopening: ReopeningEngine): void {
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const after = params?.cursor === undefined ? '' : keyAtCursor(params.cursor);
    const keys = keysAfter(await reopening.use((engine) => engine.keys()), after);
    const page = keys.slice(0, PAGE).map((key) => ({ uri: uriOf(key), name: key }));
    return { resources: page, ...(keys.length > PAGE && { nextCursor: page.at(-1)?.uri }) };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: `${SCHEME}{+key}`, name: 'file', description: 'An indexed file by its key' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const file = await reopening.use((engine) => engine.readFile(keyOfResource(uri))).catch(refused);
    if (file) return { contents: [{ uri, text: file.text }] };
    throw protocolError(ErrorCode.InvalidParams, `${uri} is not indexed: list the resources to see what is.`);
  });
}

function uriOf(key: string): string {
  return SCHEME + key.split('/').map(encodeURIComponent).join('/');
}

/** The key in an address of a resource. Throws `InvalidParams`. */
function keyOfResource(uri: string): string {
  return keyOf(uri, `${shownValue(uri)} is no resource of Waymark: they are ${SCHEME}<key>.`);
}

/** The key in a cursor, which is the address of the last resource of a page. Throws `InvalidParams`. */
function keyAtCursor(cursor: string): string {
  return keyOf(cursor, `cursor must be the nextCursor of an answer; it is ${shownValue(cursor)}.`);
}

function keyOf(uri: string, refusal: string): string {
  try {
    if (uri.startsWith(SCHEME)) return decodeURIComponent(uri.slice(SCHEME.length));
  } catch {
    // Not encoded as an address is: refused below.
  }
  throw protocolError(ErrorCode.InvalidParams, refusal);
}

/** Throws what an engine throws; of a key that no file can have, so that the client knows that it is at fault. */
function refused(error: Error & { readonly code?: WaymarkErrorCode }): never {
  throw error.code === 'INVALID_ARGUMENT' ? protocolError(ErrorCode.InvalidParams, error.message) : error;
}

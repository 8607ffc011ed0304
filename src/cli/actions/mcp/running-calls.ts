import type { IncomingMessage } from 'node:http';

/** The header by which a client names its session. */
export const SESSION = 'mcp-session-id';

/** What is read of a message. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** Whether a message is of a method. */
export function isOf(method: string): (message: unknown) => boolean {
  return (message) => (Object(message) as Message).method === method;
}

/**
 * The calls that run over HTTP. A client cancels a call in another request, by the id that it has given to the call;
 * other clients use the same ids, so that the session counts as well.
 */
export class RunningCalls {
  readonly #stops = new Map<string, () => void>();

  /** Calls `stop` when the call is cancelled. Returns what forgets it. Without a session, no call can be cancelled. */
  add({ headers }: IncomingMessage, call: unknown, stop: () => void): () => void {
    const key = keyOf(headers[SESSION], (Object(call) as Message).id);
    if (key === undefined) return () => {};
    this.#stops.set(key, stop);
    return () => {
      if (this.#stops.get(key) === stop) this.#stops.delete(key);
    };
  }

  /** Stops the call that a message names, if it still runs. */
  cancel({ headers }: IncomingMessage, message: unknown): void {
    const key = keyOf(headers[SESSION], (message as Message).params?.requestId);
    if (key !== undefined) this.#stops.get(key)?.();
  }
}

/** The key of a call; undefined for what has no id or no session. Ids of one session may be 1 and "1". */
function keyOf(session: unknown, id: unknown): string | undefined {
  return session === undefined || id === undefined ? undefined : JSON.stringify([session, id]);
}

import type { z } from 'zod';
import { WaymarkError } from '../domain/errors.js';
import type { CallOptions } from './call-options.js';
import { deadline } from './deadline.js';
import { type Missing, refusal } from './refusal.js';
import { jsonOf, type Reply, replyOf } from './reply.js';
import { retryWait, type Wait } from './retry.js';

export interface ConnectionOptions {
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly token: string;
  readonly workspaceId: string | undefined;
  readonly botId: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** Requests after the first. */
  readonly retries: number;
  readonly wait: Wait;
}

/** An operation on the wire. */
export interface Call<Body> {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Below `apiUrl`, its parts percent-encoded. */
  readonly path: string;
  /** Without `?`. */
  readonly query?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Whose id the operation cannot do without. */
  readonly needs: 'botId' | 'workspaceId';
  readonly missing: Missing;
  readonly answer: z.ZodType<Body>;
}

/** Of other texts fetch makes an error that looks like one of the connection. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

interface Sent {
  readonly method: Call<unknown>['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Requests to one server on behalf of one token. */
export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Throws what the server refuses, `CONNECTION_FAILED`, `RESPONSE_INVALID`, `ABORTED`. */
  async ask<Body>(call: Call<Body>, { signal }: CallOptions): Promise<Body> {
    const { apiUrl } = this.#options;
    const headers = this.#headers(call);
    const url = `${apiUrl}${call.path}${call.query ? `?${call.query}` : ''}`;
    const reply = await this.#send(
      call.body === undefined
        ? { method: call.method, url, headers }
        : {
            method: call.method,
            url,
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(call.body),
          },
      { signal, missing: call.missing },
    );
    const parsed = call.answer.safeParse(jsonOf(reply));
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues[0]?.path.join('.') || 'no JSON object';
    throw new WaymarkError(
      'RESPONSE_INVALID',
      `The server at ${apiUrl} answered ${call.method} ${call.path} otherwise than the contract says (${where}): check that apiUrl is the address of a Waymark server of this version.`,
      { cause: parsed.error },
    );
  }

  /** Puts bytes to an address that is its own permission: no token goes there. */
  async upload(
    url: string,
    { bytes, contentType, signal }: CallOptions & { bytes: Uint8Array<ArrayBuffer>; contentType: string },
  ): Promise<void> {
    const headers = { 'Content-Type': HEADER_VALUE.test(contentType) ? contentType : 'application/octet-stream' };
    await this.#send({ method: 'PUT', url, headers, body: bytes }, { signal, missing: 'UPLOAD_MISSING' });
  }

  #headers({ needs }: Call<unknown>): Record<string, string> {
    const { token, workspaceId, botId } = this.#options;
    if (!this.#options[needs]) {
      const what = needs === 'botId' ? 'files' : 'bots';
      throw new WaymarkError('INVALID_ARGUMENT', `${needs} is missing: give it to createClient to ask for ${what}.`);
    }
    return {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      ...(workspaceId && { 'x-workspace-id': workspaceId }),
      ...(botId && { 'x-bot-id': botId }),
    };
  }

  async #send(sent: Sent, { signal, missing }: CallOptions & { missing: Missing }): Promise<Reply> {
    const { apiUrl: server, token: secret, retries, wait } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#fetch(sent, signal);
      const reply = outcome instanceof WaymarkError ? undefined : outcome;
      if (reply && reply.status >= 200 && reply.status < 300) return reply;
      const pause = attempt < retries ? retryWait(reply, { method: sent.method, attempt }) : undefined;
      if (pause === undefined) {
        throw outcome instanceof WaymarkError ? outcome : refusal(outcome, { missing, server, secret });
      }
      await wait(pause, signal).catch((cause: unknown) => {
        throw signal?.aborted ? stopped(signal) : cause;
      });
    }
  }

  /** One request: its reply, or the error where none came. Throws where the caller or the time limit stopped it. */
  async #fetch({ url, ...sent }: Sent, signal: AbortSignal | undefined): Promise<Reply | WaymarkError> {
    const { apiUrl, fetch, timeout } = this.#options;
    const limit = deadline(timeout, signal);
    try {
      // A token is for the server that was named, not for one that it points to.
      return await replyOf(await fetch(url, { ...sent, redirect: 'manual', signal: limit.signal }));
    } catch (cause) {
      if (signal?.aborted) throw stopped(signal);
      if (limit.isOver()) {
        const message = `The server at ${apiUrl} did not answer within ${timeout} ms: try again, or give createClient a longer timeout.`;
        throw new WaymarkError('CONNECTION_FAILED', message, { cause });
      }
      const message = `The server at ${apiUrl} cannot be reached${reasonOf(cause)}: check that it runs (waymark serve) and that apiUrl is its address.`;
      return new WaymarkError('CONNECTION_FAILED', message, { cause });
    } finally {
      limit.clear();
    }
  }
}

function stopped(signal: AbortSignal): WaymarkError {
  return new WaymarkError('ABORTED', 'Stopped before it was done.', { cause: signal.reason });
}

/** What the system calls the failure of a connection: fetch has it in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code } = Object((error as { cause?: unknown } | undefined)?.cause) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]+$/.test(code) ? ` (${code})` : '';
}

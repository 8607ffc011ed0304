import { validateSignal } from '../contract/abortable.js';
import type { HttpOperation, ResponseOf } from '../contract/operation.js';
import { type Abortable, abortedBy, assertNotAborted, untilAborted, withEither } from '../domain/abortable.js';
import { WaymarkError } from '../domain/errors.js';
import { encodeRequest } from './encode-request.js';
import { type Missing, refusal } from './refusal.js';
import { jsonOf, type Reply, replyOf } from './reply.js';
import { type Clock, retryWait } from './retry.js';

/** The server, the token, and the limits of requests. */
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
  readonly clock: Clock;
}

/** For other values, fetch throws an error that looks like a connection failure. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

interface Sent {
  readonly method: HttpOperation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Requests to one server with one token. */
export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Sends a validated request. Throws what the server refuses, `CONNECTION_FAILED`, `RESPONSE_INVALID`, `ABORTED`. */
  async call<Op extends HttpOperation>(
    operation: Op,
    request: object,
    options: Abortable = {},
  ): Promise<ResponseOf<Op>> {
    const signal = validateSignal(options);
    const { apiUrl } = this.#options;
    const { method } = operation;
    const { target, headers: fields, body } = encodeRequest(operation, request);
    const own = { ...this.#headers(operation), ...fields };
    const headers = body === undefined ? own : { ...own, 'Content-Type': 'application/json' };
    const sent = { method, url: `${apiUrl}${target}`, headers, ...(body !== undefined && { body }) };
    const answer = jsonOf(await this.#send(sent, { signal, missing: missingOf(operation) }));
    const { error } = operation.response.safeParse(answer);
    // Returned unparsed, to keep fields that a newer server adds.
    if (!error) return answer as ResponseOf<Op>;
    const where = error.issues[0]?.path.join('.') || 'not a JSON object';
    const [path] = target.split('?');
    const problem = `The answer of the server at ${apiUrl} to ${method} ${path} breaks the contract (${where})`;
    const message = `${problem}: check that apiUrl is the address of a Waymark server of this version.`;
    throw new WaymarkError('RESPONSE_INVALID', message, { cause: error });
  }

  /** PUTs bytes to an upload address. It needs no token and is sent none. */
  async upload(
    url: string,
    { bytes, contentType, signal }: Abortable & { bytes: Uint8Array<ArrayBuffer>; contentType: string },
  ): Promise<void> {
    if (!/^https?:\/\//.test(url)) {
      const { apiUrl } = this.#options;
      const returned = `The server at ${apiUrl} returned an uploadUrl that is not an http address`;
      const message = `${returned}: check its public URL.`;
      throw new WaymarkError('RESPONSE_INVALID', message);
    }
    const headers = { 'Content-Type': HEADER_VALUE.test(contentType) ? contentType : 'application/octet-stream' };
    await this.#send({ method: 'PUT', url, headers, body: bytes }, { signal, missing: 'UPLOAD_MISSING' });
  }

  #headers({ permission, withoutWorkspaceId }: HttpOperation): Record<string, string> {
    const { token, workspaceId, botId } = this.#options;
    const [needed, subject] =
      permission === 'admin' ? (['workspaceId', 'bots'] as const) : (['botId', 'files'] as const);
    if (!this.#options[needed] && !withoutWorkspaceId) {
      throw new WaymarkError(
        'INVALID_ARGUMENT',
        `${needed} is missing: pass it to createClient to work with ${subject}.`,
      );
    }
    return {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      ...(workspaceId && { 'x-workspace-id': workspaceId }),
      ...(botId && { 'x-bot-id': botId }),
    };
  }

  async #send(sent: Sent, { signal, missing }: Abortable & { missing: Missing }): Promise<Reply> {
    const { apiUrl: server, token: secret, retries, clock } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#fetch(sent, signal);
      const reply = outcome instanceof WaymarkError ? undefined : outcome;
      if (reply && reply.status >= 200 && reply.status < 300) return reply;
      const { random } = clock;
      const pause = attempt < retries ? retryWait(reply, { method: sent.method, attempt, random }) : undefined;
      if (pause === undefined) {
        throw outcome instanceof WaymarkError ? outcome : refusal(outcome, { missing, server, secret });
      }
      await clock.wait(pause, signal).catch((cause: unknown) => {
        throw signal?.aborted ? abortedBy(signal) : cause;
      });
    }
  }

  /** One request: its reply, or the error if none came. Throws if the caller or the time limit stopped it. */
  async #fetch({ url, ...sent }: Sent, signal: AbortSignal | undefined): Promise<Reply | WaymarkError> {
    const { apiUrl, fetch, timeout } = this.#options;
    const timedOut = new AbortController();
    const timer = setTimeout(() => timedOut.abort(), timeout);
    const answer = async (either: AbortSignal) => {
      either.throwIfAborted();
      // A redirect could send the token to another server.
      const response = await fetch(url, { ...sent, redirect: 'manual', signal: either });
      return replyOf(response, { server: apiUrl });
    };
    try {
      // A caller's own fetch, or its body, may ignore the signal.
      return await withEither([timedOut.signal, signal], (either) => untilAborted(answer(either), either));
    } catch (cause) {
      assertNotAborted(signal);
      if (timedOut.signal.aborted) {
        const next = 'try again, or pass createClient a longer timeout';
        const message = `The server at ${apiUrl} did not answer within ${timeout} ms: ${next}.`;
        throw new WaymarkError('CONNECTION_FAILED', message, { cause });
      }
      if (cause instanceof WaymarkError) throw cause;
      const next = 'check that it runs (waymark serve) and that apiUrl is its address';
      const message = `The server at ${apiUrl} cannot be reached${reasonOf(cause)}: ${next}.`;
      return new WaymarkError('CONNECTION_FAILED', message, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What a 404 to an operation means. Without a file in its path, the bot is missing. */
function missingOf({ errors, permission }: HttpOperation): Missing {
  if (errors.includes('FILE_MISSING')) return 'FILE_MISSING';
  if (errors.includes('KNOWLEDGE_BASE_MISSING')) return 'KNOWLEDGE_BASE_MISSING';
  return permission === 'admin' && !errors.includes('BOT_MISSING') ? 'WORKSPACE_MISSING' : 'BOT_MISSING';
}

/** The system's code for the failure of a connection; fetch keeps it in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code } = Object((error as { cause?: unknown } | undefined)?.cause) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z_0-9]+$/.test(code) ? ` (${code})` : '';
}

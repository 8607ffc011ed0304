import { request } from 'node:http';
import { connect } from 'node:net';

/** Milliseconds after which a request without a response counts as hung. */
const HANG = 120_000;

export interface Sent {
  readonly method: string;
  /** Sent as it is: nothing is encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Sends one request over a connection of its own; rejects without a response. */
export function send(url: string, { method, path, headers = {}, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { hostname, port, method, path, agent: false, headers: { ...length, ...headers } };
    let isAnswered = false;
    const sent = request({ ...options, timeout: HANG }, (response) => {
      isAnswered = true;
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path.slice(0, 200)}`)));
    // The server may reject the request and close the connection before the whole body is sent.
    sent.on('error', (error) => isAnswered || reject(error));
    sent.end(body);
  });
}

/** Sends bytes, half-closes the connection, and returns everything received until it closes. */
export function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const parts: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes));
    socket.setTimeout(HANG, () =>
      socket.destroy(new Error(`no end of ${JSON.stringify(String(bytes)).slice(0, 200)}`)),
    );
    socket.on('data', (part) => parts.push(part));
    let failure: NodeJS.ErrnoException | undefined;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      // A server may close a connection on which more arrives than it reads.
      if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) reject(failure);
      else resolve(Buffer.concat(parts).toString('latin1'));
    });
  });
}

/** The status codes of the responses in the received bytes. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

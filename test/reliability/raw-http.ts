import { request } from 'node:http';
import { connect } from 'node:net';

/** Milliseconds after which a request without an answer counts as a hang. */
const HANG = 20_000;

export interface Sent {
  readonly method: string;
  /** As it is sent: nothing is encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** One request over a connection of its own; rejects where no answer comes. */
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
    // A refusal may come, and the connection end, before all of the body is sent.
    sent.on('error', (error) => isAnswered || reject(error));
    sent.end(body);
  });
}

/** Everything that comes back for bytes on a connection until its end; our half is ended with them. */
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
      // A server may end a connection on which more comes than it reads.
      if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) reject(failure);
      else resolve(Buffer.concat(parts).toString('latin1'));
    });
  });
}

/** The statuses of the answers in what came back. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

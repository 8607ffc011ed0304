import type { FastifyReply } from 'fastify';
import { HttpError } from '../errors/http-error.js';

/** What the caller of an operation that took too long must know: reading stops, a change goes on. */
export const LATE = {
  GET: 'The answer took too long: try again, or request less.',
  PUT: 'The answer took too long, but the change goes on: read the file before you send it again.',
  DELETE: 'The answer took too long, but the deletion goes on: read the file before you send it again.',
} as const;

/**
 * Runs work whose signal fires when the caller disconnects, or after `timeout` milliseconds. Then it rejects at once,
 * even if the work ignores the signal: `late` is the sentence for a caller whose time is over.
 */
export async function abortOnDisconnect<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { reply, timeout, late }: { reply: FastifyReply; timeout: number; late: string },
): Promise<T> {
  // Not AbortSignal.any with AbortSignal.timeout: in Node 20 the combined signal may be collected before it fires.
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timer = setTimeout(() => {
    controller.abort(new HttpError('OperationTimeout', late));
  }, timeout);
  const onClose = () => {
    // Nobody reads this answer, but its status distinguishes it from a failure in the log and the metrics.
    controller.abort(new HttpError('OperationTimeout', 'The caller disconnected.', { status: 499 }));
  };
  reply.raw.once('close', onClose);
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
    reply.raw.off('close', onClose);
  }
}

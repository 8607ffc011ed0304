import type { FastifyReply } from 'fastify';
import { HttpError } from './http-error.js';

/**
 * Does work whose signal is aborted when the caller hangs up before it has its answer, or when that takes longer than
 * `timeout` milliseconds; then there is no more waiting for the work.
 */
export async function whileAwaited<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { reply, timeout }: { reply: FastifyReply; timeout: number },
): Promise<T> {
  // Not AbortSignal.any with AbortSignal.timeout: in Node 20 one made of both may be collected before it fires.
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const timer = setTimeout(() => {
    stopping.abort(new HttpError('OperationTimeout', 'The answer took too long: ask again in a moment, or for less.'));
  }, timeout);
  const onClose = () => {
    // Nobody reads this, but the log and the measures tell it from a failure.
    stopping.abort(new HttpError('OperationTimeout', 'The caller hung up.', { status: 499 }));
  };
  reply.raw.once('close', onClose);
  try {
    return await Promise.race([work(signal), stopped]);
  } finally {
    clearTimeout(timer);
    reply.raw.off('close', onClose);
  }
}

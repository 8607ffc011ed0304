import type { ErrorCode } from './sdk.js';

/** An error that the SDK answers with its code. Its own class would put the code into the message as well. */
export function protocolError(code: ErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
}

import picocolors from 'picocolors';

/** Colours only if stdout is a terminal that supports them and NO_COLOR is not set. */
export const colors = picocolors.createColors(process.stdout.isTTY === true && process.stdout.hasColors());

/** Whether a stream is a terminal that can move its cursor: the shell of Emacs, a dumb one, would show the codes. */
export function movesCursor({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

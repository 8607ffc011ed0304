/** Whether a stream is a terminal that can move its cursor: the shell of Emacs, a dumb one, would show the codes. */
export function movesCursor({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

import { HIDDEN } from '../../../hidden.js';
import type { Edits } from '../edits.js';

/** `[text](@ref name)` and `[heading](@id name)`; `[text](@ref)` is a link to CommonMark, too. */
const REFERENCE = /^(\[(?:[^[\]]|\[[^[\]]*\])*\]\(@(?:id|ref|extref))[ \t][^()\r\n]*(?:\([^()\r\n]*\)[^()\r\n]*)*\)/;

/**
 * Closes the gap in the address of a reference of Documenter, the generator of Julia, so that CommonMark sees a link.
 * Returns the offset after it; 0 if there is none.
 */
export function joinReference({ edits }: { readonly edits: Edits }, at: number, head: string): number {
  const [reference, start = ''] = REFERENCE.exec(head) ?? [];
  if (reference === undefined) return 0;
  const gap = reference.length - start.length - ')'.length;
  edits.overwrite(at + start.length, at + start.length + gap, HIDDEN.repeat(gap));
  return at + reference.length;
}

/** A set of slots: those that a filter lets pass. */
export class Allowed {
  /** Bits 0-3 of byte i tell of the slots from 4 i: a byte for each group of int8.wat. */
  readonly groups: Uint8Array;

  /** For slots below `count`. */
  constructor(count: number) {
    this.groups = new Uint8Array(Math.ceil(count / 4));
  }

  add(slot: number): void {
    this.groups[slot >>> 2] = (this.groups[slot >>> 2] as number) | (1 << (slot & 3));
  }

  has(slot: number): boolean {
    return ((this.groups[slot >>> 2] as number) & (1 << (slot & 3))) !== 0;
  }
}

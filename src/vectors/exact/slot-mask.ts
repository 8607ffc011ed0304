/** A set of slots: those that a filter admits. */
export class SlotMask {
  /** One byte per group of four slots, as int8.wat reads them: bits 0-3 of byte i are slots 4i to 4i + 3. */
  readonly groups: Uint8Array;

  /** Creates an empty set for slots 0 to `count` - 1. */
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

/**
 * dot.wat as compiled WebAssembly, in base64. Written by `npx tsx test/vectors/exact/kernels/compile-wat.ts`; a test
 * compiles dot.wat and compares.
 */
export const DOT_WASM =
  'AGFzbQEAAAABGQNgA39/fwF9YAV/f39/fwBgBn9/f39/fwACFgEHd2F5bWFyawZtZW1vcnkCAQGAgAQDBAMAAQIHEQIEc2NhbgABBmdhdGhlcgACCpADA6kBAgF/BHsgASACaiEDA0AgBCAA/QAEACAB/QAEAP3mAf3kASEEIAUgAP0ABBAgAf0ABBD95gH95AEhBSAGIAD9AAQgIAH9AAQg/eYB/eQBIQYgByAA/QAEMCAB/QAEMP3mAf3kASEHIABBwABqIQAgAUHAAGohASABIANHDQALIAQgBf3kASAGIAf95AH95AEhBCAE/R8AIAT9HwGSIAT9HwIgBP0fA5KSCysAA0AgBCAAIAEgAhAAOAIAIAEgAmohASAEQQRqIQQgA0EBayEDIAMNAAsLtgEBBn8gAyAEQQJ0aiEGIAMhBwNAIANBwABqIQggCCAGSwRAIAYhCAsDQCABIAcoAgAgAmxqIQkgCSAKRwRAIAkgAmohCgNAIAsgCSgCAHIhCyAJQcAAaiEJIAkgCkcNAAsFIAkgAmohCgsgB0EEaiEHIAcgCEcNAAsgBSALNgIAA0AgBSAAIAEgAygCACACbGogAhAAOAIAIANBBGohAyAFQQRqIQUgAyAIRw0ACyADIAZHDQALCw==';

/**
 * The exports of dot.wat, which documents them. Addresses are byte offsets into the imported memory; `stride` is the
 * bytes per row, a multiple of 64.
 */
export interface DotFunctions {
  /** Scores `count` contiguous rows starting at `row`; writes float32 scores from `score`. */
  scan(query: number, row: number, stride: number, count: number, score: number): void;
  /** Scores the rows whose slot numbers are the `count` uint32 at `slot`; slot 0 is at `rows`. */
  gather(query: number, rows: number, stride: number, slot: number, count: number, score: number): void;
}

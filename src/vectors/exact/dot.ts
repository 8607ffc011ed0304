/**
 * dot.wat, compiled, in base64. Made by `npx tsx test/vectors/compile-wat.ts`; a test compiles dot.wat again and
 * compares.
 */
export const DOT_WASM =
  'AGFzbQEAAAABGQNgA39/fwF9YAV/f39/fwBgBn9/f39/fwACFgEHd2F5bWFyawZtZW1vcnkCAQGAgAQDBAMAAQIHEQIEc2NhbgABBmdhdGhlcgACCpADA6kBAgF/BHsgASACaiEDA0AgBCAA/QAEACAB/QAEAP3mAf3kASEEIAUgAP0ABBAgAf0ABBD95gH95AEhBSAGIAD9AAQgIAH9AAQg/eYB/eQBIQYgByAA/QAEMCAB/QAEMP3mAf3kASEHIABBwABqIQAgAUHAAGohASABIANHDQALIAQgBf3kASAGIAf95AH95AEhBCAE/R8AIAT9HwGSIAT9HwIgBP0fA5KSCysAA0AgBCAAIAEgAhAAOAIAIAEgAmohASAEQQRqIQQgA0EBayEDIAMNAAsLtgEBBn8gAyAEQQJ0aiEGIAMhBwNAIANBwABqIQggCCAGSwRAIAYhCAsDQCABIAcoAgAgAmxqIQkgCSAKRwRAIAkgAmohCgNAIAsgCSgCAHIhCyAJQcAAaiEJIAkgCkcNAAsFIAkgAmohCgsgB0EEaiEHIAcgCEcNAAsgBSALNgIAA0AgBSAAIAEgAygCACACbGogAhAAOAIAIANBBGohAyAFQQRqIQUgAyAIRw0ACyADIAZHDQALCw==';

/** What dot.wat exports. Addresses are byte offsets into the imported memory; `stride` is a multiple of 64 bytes. */
export interface DotFunctions {
  scan(query: number, row: number, stride: number, count: number, score: number): void;
  gather(query: number, rows: number, stride: number, slot: number, count: number, score: number): void;
}

/**
 * int8.wat as compiled WebAssembly, in base64. Written by `npx tsx test/vectors/exact/kernels/compile-wat.ts`; a test
 * compiles int8.wat and compares.
 */
export const INT8_WASM =
  'AGFzbQEAAAABGwNgBH9/f38AYAl/f39/f319fX8Bf2ACe3sBewIWAQd3YXltYXJrBm1lbW9yeQIBAYCABAMEAwABAgcTAghxdWFudGlzZQAABHNjYW4AAQrBBwPlAgMDfwF9CXsgACABQQJ0aiEFIAAhBANAIAggBP0ABAD94AH9uAEhCCAEQRBqIQQgBCAFRw0ACyAI/R8AIAj9HwGXIAj9HwIgCP0fA5eXQwAA/kKVIQdDAACAPyAHlf0TIQkgB/0TIQpDAABAS/0TIRAgACEEIAIgA0EDdGohBgNAIAT9AAQAIQwgBP0ABBAhDSAMIAn95gEgEP3kASEOIA0gCf3mASAQ/eQBIQ8gDCAOIBD95QEgCv3mAf3lASEMIA0gDyAQ/eUBIAr95gH95QEhDSALIAwgDP3mASANIA395gH95AH95AEhCyAOIBD9sQEgDyAQ/bEB/YUBIQ4gBiAOIA79Zf1bAwAAIAZBIGohBiAEQSBqIQQgBCAFRw0ACyAGIANBAnRrIQYgBiAHOAIAIAYgC/0fACAL/R8BkiAL/R8CIAv9HwOSkpFDAACAPyABs0MAAIAzlJKUQwAAADWSOAIQC6UEAgV7BH8gACACQQF0aiEPA0AgACEO/QwAAAAAAAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCv0MAAAAAAAAAAAAAAAAAAAAACEL/QwAAAAAAAAAAAAAAAAAAAAAIQwDQCAO/QAEACENIAkgAf0BAwAgDf26Af2uASEJIAogAf0BAwggDf26Af2uASEKIAsgAf0BAxAgDf26Af2uASELIAwgAf0BAxggDf26Af2uASEMIA79AAQQIQ0gCSAB/QEDICAN/boB/a4BIQkgCiAB/QEDKCAN/boB/a4BIQogCyAB/QEDMCAN/boB/a4BIQsgDCAB/QEDOCAN/boB/a4BIQwgAUHAAGohASAOQSBqIQ4gDiAPRw0ACyALIAwQAiENIAkgChACIQkgCSAN/Q0AAQIDBAUGBxAREhMUFRYXIAkgDf0NCAkKCwwNDg8YGRobHB0eH/2uAf36ASEJIAkgAf0ABAAgBf0T/eYB/eYBIQkgAf0ABBAgBv0T/eYBIQogCSAK/eQBIQsgAUEgaiEBIAMtAAAgCyAH/RP9Rv2kAXEhESARBEBBACAL/QsEAEEAIAkgCv3lAf0LBBADQCARaCEOIAggECAOajYCACAOQQJ0IQ4gCCAOKgIAOAKAgAEgCCAOKgIQOAKAgAIgCEEEaiEIIBEgEUEBa3EhESARDQALCyAQQQRqIRAgA0EBaiEDIARBAWshBCAEDQALIAgLMQAgACAB/Q0AAQIDEBESEwQFBgcUFRYXIAAgAf0NCAkKCxgZGhsMDQ4PHB0eH/2uAQs=';

/**
 * The exports of int8.wat, which documents them. Addresses are byte offsets into the imported memory; `stride` is the
 * bytes per row, a multiple of 16.
 */
export interface Int8Functions {
  /** Quantises the float32 vector at `vector` into one of the four lanes (0-3) of a group. */
  quantise(vector: number, stride: number, group: number, lane: number): void;
  /** Writes the rows that may reach the threshold at `found`; returns the address after the last slot. */
  scan(
    query: number,
    group: number,
    stride: number,
    mask: number,
    count: number,
    factor: number,
    weight: number,
    threshold: number,
    found: number,
  ): number;
}

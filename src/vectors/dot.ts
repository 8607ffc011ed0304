/**
 * dot.wat, compiled, in base64. Made by `npx tsx test/vectors/compile-dot.ts`; a test compiles dot.wat again and
 * compares.
 */
export const DOT_WASM =
  'AGFzbQEAAAABGQNgA39/fwF9YAV/f39/fwBgBn9/f39/fwACFgEHd2F5bWFyawZtZW1vcnkCAQGAgAQDBAMAAQIHEQIEc2NhbgABBmdhdGhlcgACCo0CA6kBAgF/BHsgASACaiEDA0AgBCAA/QAEACAB/QAEAP3mAf3kASEEIAUgAP0ABBAgAf0ABBD95gH95AEhBSAGIAD9AAQgIAH9AAQg/eYB/eQBIQYgByAA/QAEMCAB/QAEMP3mAf3kASEHIABBwABqIQAgAUHAAGohASABIANHDQALIAQgBf3kASAGIAf95AH95AEhBCAE/R8AIAT9HwGSIAT9HwIgBP0fA5KSCysAA0AgBCAAIAEgAhAAOAIAIAEgAmohASAEQQRqIQQgA0EBayEDIAMNAAsLNAADQCAFIAAgASADKAIAIAJsaiACEAA4AgAgA0EEaiEDIAVBBGohBSAEQQFrIQQgBA0ACws=';

/** What dot.wat exports. Addresses are byte offsets into the imported memory; `stride` is a multiple of 64 bytes. */
export interface DotFunctions {
  scan(query: number, row: number, stride: number, count: number, score: number): void;
  gather(query: number, rows: number, stride: number, slot: number, count: number, score: number): void;
}

/** A WebAssembly memory: `grow` adds pages of 64 KiB and detaches the buffer read before. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The part of the WebAssembly interface used here: TypeScript declares it with the browser's types only.
declare const WebAssembly:
  | {
      validate(bytes: Uint8Array): boolean;
      readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (
        module: object,
        imports: { waymark: { memory: WasmMemory } },
      ) => { readonly exports: DotFunctions };
    }
  | undefined;

/** The kernel with a memory of its own, of one page at first; undefined where there is no WebAssembly with SIMD. */
export function instantiateDot(maximumPages: number): { memory: WasmMemory; dot: DotFunctions } | undefined {
  const wasm = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
  const bytes = Buffer.from(DOT_WASM, 'base64');
  if (wasm === undefined || !wasm.validate(bytes)) return undefined;
  const memory = new wasm.Memory({ initial: 1, maximum: maximumPages });
  return { memory, dot: new wasm.Instance(new wasm.Module(bytes), { waymark: { memory } }).exports };
}

/** A WebAssembly memory: `grow` adds pages of 64 KiB and detaches the buffer read before. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 65_536;

// The part of the WebAssembly interface used here: TypeScript declares it with the browser's types only.
declare const WebAssembly:
  | {
      validate(bytes: Uint8Array): boolean;
      readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (
        module: object,
        imports: { waymark: { memory: WasmMemory } },
      ) => { readonly exports: object };
    }
  | undefined;

/**
 * A kernel, given in base64, with a memory of its own, of one page at first. Undefined where there is no WebAssembly
 * with SIMD, or no address space left for a memory. `Functions` is what the kernel exports, which nothing checks.
 */
export function openKernel<Functions extends object>(
  base64: string,
  maximumPages: number,
): { memory: WasmMemory; functions: Functions } | undefined {
  const wasm = typeof WebAssembly === 'undefined' ? undefined : WebAssembly;
  const bytes = Buffer.from(base64, 'base64');
  if (wasm === undefined || !wasm.validate(bytes)) return undefined;
  try {
    const memory = new wasm.Memory({ initial: 1, maximum: maximumPages });
    const { exports } = new wasm.Instance(new wasm.Module(bytes), { waymark: { memory } });
    return { memory, functions: exports as Functions };
  } catch (error) {
    // A memory reserves gigabytes of addresses: a process that may not (ulimit -v) or has none left gets this.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A WebAssembly memory. `grow` adds pages of 64 KiB and detaches every view of the previous buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Bytes per page of WebAssembly memory. */
export const PAGE = 65_536;

// The part of the WebAssembly API used here: TypeScript declares it only together with the browser's types.
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
 * Instantiates a kernel, given in base64, with its own memory of initially one page. Returns undefined where
 * WebAssembly has no SIMD or no address space is left for a memory. `Functions` describes the kernel's exports and is
 * not checked.
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
    // A memory reserves gigabytes of address space, which `ulimit -v` may forbid.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

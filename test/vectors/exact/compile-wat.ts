import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

/** The kernels in src/vectors/exact: of each, the text `<name>.wat`, and its bytes in `<name>.ts`. */
export const KERNELS = ['dot', 'int8'] as const;

const source = (file: string) => new URL(`../../../src/vectors/exact/${file}`, import.meta.url);

/** The bytes of src/vectors/exact/<name>.wat as WebAssembly, in base64: what `<NAME>_WASM` in <name>.ts has to be. */
export async function compileWat(name: (typeof KERNELS)[number]): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat(`${name}.wat`, readFileSync(source(`${name}.wat`), 'utf8'), { simd: true });
  try {
    module.validate();
    return Buffer.from(module.toBinary({}).buffer).toString('base64');
  } finally {
    module.destroy();
  }
}

// Run as a program (`npx tsx test/vectors/exact/compile-wat.ts`), it writes the bytes into each <name>.ts.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of KERNELS) {
    const wasm = await compileWat(name);
    const typescript = readFileSync(source(`${name}.ts`), 'utf8');
    writeFileSync(
      source(`${name}.ts`),
      typescript.replace(/(_WASM =\s*)'[^']*'/, (_match, before: string) => `${before}'${wasm}'`),
    );
  }
}

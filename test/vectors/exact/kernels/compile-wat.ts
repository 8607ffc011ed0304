import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

/** The kernels: each has its text in `<name>.wat` and its compiled bytes in `<name>.ts`. */
export const KERNELS = ['dot', 'int8'] as const;

const source = (file: string) => new URL(`../../../../src/vectors/exact/kernels/${file}`, import.meta.url);

/** Compiles <name>.wat to WebAssembly, in base64: the required value of `<NAME>_WASM` in <name>.ts. */
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

// As a program (`npx tsx test/vectors/exact/kernels/compile-wat.ts`) it updates the bytes in each <name>.ts.
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

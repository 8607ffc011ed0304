import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

const WAT = new URL('../../src/vectors/dot.wat', import.meta.url);
const TS = new URL('../../src/vectors/dot.ts', import.meta.url);

/** The bytes of src/vectors/dot.wat as WebAssembly, in base64: what `DOT_WASM` in src/vectors/dot.ts has to be. */
export async function compileDot(): Promise<string> {
  const { parseWat } = await wabt();
  const module = parseWat('dot.wat', readFileSync(WAT, 'utf8'), { simd: true });
  try {
    module.validate();
    return Buffer.from(module.toBinary({}).buffer).toString('base64');
  } finally {
    module.destroy();
  }
}

// Run as a program (`npx tsx test/vectors/compile-dot.ts`), it writes the bytes into src/vectors/dot.ts.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const wasm = await compileDot();
  const source = readFileSync(TS, 'utf8');
  writeFileSync(
    TS,
    source.replace(/(DOT_WASM =\s*)'[^']*'/, (_match, before: string) => `${before}'${wasm}'`),
  );
}

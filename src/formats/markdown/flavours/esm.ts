import { Fences } from './fences.js';

/** Lines that begin an import or an export of JavaScript. */
const IMPORTS = /^import\s*(?:[\w$]+\s+from\b|[\w$]+\s*,|\{|\*\s*as\b|['"])/;
const EXPORTS = /^export\s+(?:(?:default|const|let|var|function|async|class)\b|\{|\*)/;

/** An import, as it is seldom written in prose. */
const IMPORT = /^import\s+(?:[^'"\n]{1,500}\sfrom\s+)?['"][^'"\n]+['"];?[ \t]*\r?$/m;

/** The component `Script` is not one. */
const SCRIPT = /<script(?=[\s>]|$)/;
/** Code in a line, such as `pnpm run <script name>`. */
const CODE = /`+[^`]*`+/g;

/** Whether a line begins an import or an export. */
export function beginsEsm(line: string): boolean {
  return line.startsWith('import') ? IMPORTS.test(line) : line.startsWith('export') && EXPORTS.test(line);
}

/** Whether a text imports components, outside of code and of scripts: it is MDX then. */
export function hasImports(source: string): boolean {
  if (!IMPORT.test(source)) return false;
  const fences = new Fences();
  let inScript = false;
  for (const line of source.split(/\r?\n|\r/)) {
    if (fences.take(line)) continue;
    if (SCRIPT.test(line) && SCRIPT.test(line.replace(CODE, ''))) inScript = true;
    if (!inScript && line.startsWith('import') && IMPORT.test(line)) return true;
    if (line.includes('</script')) inScript = false;
  }
  return false;
}

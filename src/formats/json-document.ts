import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

/** A JSON text, which may have comments and trailing commas. */
export interface JsonDocument {
  /** Undefined if there is a problem. */
  readonly value: unknown;
  /** What is wrong with the syntax or the names, and in which line, from 1; undefined if nothing is. */
  readonly problem: { readonly reason: string; readonly line: number } | undefined;
  /** The line of a member or item, from 1, or of the innermost one around it if it is missing. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** Reads a JSON text. */
export function jsonDocumentOf(text: string): JsonDocument {
  try {
    return parsed(text);
  } catch (error) {
    // The parser follows the nesting by recursion.
    if (!(error instanceof RangeError)) throw error;
    return { value: undefined, problem: { reason: 'nested too deeply', line: 1 }, lineOf: () => 1 };
  }
}

function parsed(text: string): JsonDocument {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const lineAt = (offset: number) => text.slice(0, offset).split(/\r\n?|\n/).length;
  const [error] = errors;
  const repeated = root && !error ? repeatedName(root) : undefined;
  const problem =
    (error && { reason: inWords(printParseErrorCode(error.error)), line: lineAt(error.offset) }) ??
    (repeated && { reason: `${JSON.stringify(repeated.value)} is given twice`, line: lineAt(repeated.offset) });
  return {
    value: root && !problem ? getNodeValue(root) : undefined,
    problem,
    lineOf: (path) => {
      for (let length = path.length; root && length > 0; length--) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        // A member begins where its name does.
        if (node) return lineAt(node.parent?.type === 'property' ? node.parent.offset : node.offset);
      }
      return 1;
    },
  };
}

/** The first name that an object has for a second time: one of the two members would be lost. */
function repeatedName({ type, children = [] }: Node): Node | undefined {
  const names = new Set<unknown>();
  for (const child of children) {
    const [name] = type === 'object' ? (child.children ?? []) : [];
    if (name && names.has(name.value)) return name;
    names.add(name?.value);
    const inside = repeatedName(child);
    if (inside) return inside;
  }
  return undefined;
}

/** `CommaExpected` as `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

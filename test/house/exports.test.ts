import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isClassDeclaration } from 'typescript/unstable/ast/is';
// The compiler's API is not stable between versions yet: package.json pins the version of TypeScript.
import { API, type Checker, type Symbol as Exported, SymbolFlags } from 'typescript/unstable/sync';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIG = path.join(ROOT, 'tsconfig.json');

/** The source of each module that package.json exports. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return Object.values<string | { default: string }>(exports)
    .map((target) => (typeof target === 'string' ? target : target.default))
    .filter((target) => target.startsWith('./dist/'))
    .map((target) => path.join(ROOT, target.replace('./dist/', 'src/').replace(/\.js$/, '.ts')));
}

/**
 * Members that need no comment, because the name means the same in every type: an identifier, the file or passage in
 * question, what a caller attached to it, or when it was created. Every other member needs one.
 */
const SELF_EXPLANATORY = new Set([
  ...['id', 'key', 'name', 'botId', 'workspaceId'],
  ...['file', 'files', 'passage', 'passages', 'bot', 'bots'],
  ...['content', 'contentType', 'breadcrumb', 'tags', 'metadata'],
  ...['createdAt', 'updatedAt'],
]);

const HAS_MEMBERS = SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.TypeAlias;

test('every export and every member of an exported type has a doc comment', () => {
  const api = new API({ cwd: ROOT });
  try {
    const project = api.updateSnapshot({ openProject: CONFIG }).getProject(CONFIG);
    if (!project) throw new Error(`${CONFIG} cannot be opened`);
    const { program, checker } = project;
    const exported = entryPoints().flatMap((file) => {
      const source = program.getSourceFile(file);
      const entryPoint = source && checker.getSymbolAtLocation(source);
      if (!entryPoint) throw new Error(`${file} is not a module of ${CONFIG}`);
      return checker.getExportsOfModule(entryPoint).map((each) => resolved(each, checker));
    });
    expect(exported.length).toBeGreaterThan(50);
    const undocumented = exported.flatMap((type) => {
      const symbols = [type, ...membersOf(type, checker)];
      return symbols
        .filter((symbol) => checker.getDocumentationCommentOfSymbol(symbol) === '' && !isDescribedSchema(symbol))
        .map((symbol) => `${fileOf(symbol)}: ${symbol === type ? type.name : `${type.name}.${symbol.name}`}`);
    });
    expect([...new Set(undocumented)].sort()).toEqual([]);
  } finally {
    api.close();
  }
});

function resolved(symbol: Exported, checker: Checker): Exported {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The public members declared in src/ that need a comment of their own. */
function membersOf(symbol: Exported, checker: Checker): readonly Exported[] {
  if (!(symbol.flags & HAS_MEMBERS)) return [];
  const contract = implementedMembers(symbol, checker);
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(
    (member) =>
      fileOf(member).startsWith('src/') &&
      !member.name.startsWith('__#') &&
      !SELF_EXPLANATORY.has(member.name) &&
      // Documented by the interface that the class implements.
      !contract.has(member.name) &&
      !checker.getJsDocTagsOfSymbol(member).some(({ name }) => name === 'internal'),
  );
}

/** Names of the documented members of the interfaces that a class implements. */
function implementedMembers(symbol: Exported, checker: Checker): ReadonlySet<string> {
  const names = new Set<string>();
  for (const declaration of symbol.declarations) {
    const node = declaration.resolve();
    if (!node || !isClassDeclaration(node)) continue;
    for (const { types } of node.heritageClauses ?? []) {
      for (const type of types) {
        const implemented = checker.getTypeAtLocation(type);
        for (const member of implemented ? checker.getPropertiesOfType(implemented) : []) {
          if (checker.getDocumentationCommentOfSymbol(member) !== '') names.add(member.name);
        }
      }
    }
  }
  return names;
}

/** Whether a member is a field of a schema of the contract that is described there: the reference derives from it. */
function isDescribedSchema(symbol: Exported): boolean {
  if (!fileOf(symbol).startsWith('src/contract/')) return false;
  const node = symbol.declarations[0]?.resolve();
  if (!node) return false;
  const source = readFileSync(path.join(ROOT, fileOf(symbol)), 'utf8').slice(node.pos, node.end);
  return /\.describe\(|\bfield\(|Field\b|description:|flagSchema|Schema\b/.test(source);
}

function fileOf(symbol: Exported): string {
  const [declaration] = symbol.declarations;
  return declaration ? path.relative(ROOT, declaration.path).split(path.sep).join('/') : '';
}

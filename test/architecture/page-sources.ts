import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const PAGE_SOURCES = join(import.meta.dirname, '../../apps/web/src');

/** The imported names by package. `*` stands for all names. */
export type PackageImports = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns what a file loads: paths in `apps/web/src` and imports from packages. Excludes type imports. */
export function loadedFrom(entry: string): { files: ReadonlySet<string>; packages: PackageImports } {
  const files = new Set<string>();
  const packages = new Map<string, Set<string>>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const { specifier, names } of importsOf(file)) {
      if (specifier.startsWith('.')) visit(resolved(file, specifier));
      else packages.set(specifier, new Set([...(packages.get(specifier) ?? []), ...names]));
    }
  };
  visit(entry);
  return { files, packages };
}

interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(PAGE_SOURCES, file), 'utf8');
  if (file.endsWith('.css'))
    return [...text.matchAll(/@import '(.+?)'/g)].map(([, specifier]) => ({ specifier: specifier!, names: ['*'] }));
  if (!/\.tsx?$/.test(file)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const names = namesOf(node);
      if (names.length > 0) found.push({ specifier: textOf(node.moduleSpecifier), names });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push({ specifier: textOf(node.arguments[0]!), names: ['*'] });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the imported names. Excludes types. */
function namesOf(node: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
  const clause = ts.isImportDeclaration(node) ? node.importClause : node;
  if (!clause) return ['*'];
  if ('isTypeOnly' in clause && clause.isTypeOnly) return [];
  const bindings = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause;
  if (!bindings || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return ['*'];
  return bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name, propertyName }) => (propertyName ?? name).text);
}

const textOf = (node: ts.Node): string => (node as ts.StringLiteralLike).text;

function resolved(from: string, specifier: string): string {
  const path = join(from, '..', specifier);
  const found = ['', '.ts', '.tsx', '/index.ts']
    .map((ending) => path + ending)
    .find((each) => /\.\w+$/.test(each) && existsSync(join(PAGE_SOURCES, each)));
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which does not exist.`);
  return found;
}

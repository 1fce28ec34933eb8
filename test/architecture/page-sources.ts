import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const PAGE_SOURCES = join(import.meta.dirname, '../../apps/web/src');
/** An import in a script without types or in a style sheet, with the imported names and the module. */
const IMPORT = /\b(?:import|export)(?:\s+\{?([\w\s,*]*)\}?\s+from)?\s*\(?['"]([^'"]+)['"]/g;
const OPTIONS = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve, removeComments: true };

/** Returns what a file loads: paths in `apps/web/src`, and the imported names by package. Excludes types. */
export function loadedFrom(entry: string) {
  const files = new Set<string>();
  const packages = new Map<string, string[]>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, names = '', specifier = ''] of textOf(file).matchAll(IMPORT)) {
      if (specifier.startsWith('.')) visit(resolved(file, specifier));
      else packages.set(specifier, [...(packages.get(specifier) ?? []), ...names.split(',').map((name) => name.trim())]);
    }
  };
  visit(entry);
  return { files, packages };
}

function textOf(file: string): string {
  if (!/\.(?:tsx?|css)$/.test(file)) return '';
  const text = readFileSync(join(PAGE_SOURCES, file), 'utf8');
  return file.endsWith('.css') ? text : ts.transpileModule(text, { compilerOptions: OPTIONS, fileName: file }).outputText;
}

function resolved(from: string, specifier: string): string {
  const path = join(from, '..', specifier);
  const found = ['', '.ts', '.tsx', '/index.ts']
    .map((ending) => path + ending)
    .find((each) => /\.\w+$/.test(each) && existsSync(join(PAGE_SOURCES, each)));
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which does not exist.`);
  return found;
}

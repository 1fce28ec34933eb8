import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.cache', '.data', 'images']);

/** A copy of the project that a test changes. */
export class ProjectCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'project-copy-'));
  /** The digest of each file before the test, by path. */
  readonly before: ReadonlyMap<string, string>;

  constructor() {
    cpSync(ROOT, this.folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
    this.before = this.contents();
  }

  path = (path: string): string => join(this.folder, path);
  read = (path: string): string => readFileSync(this.path(path), 'utf8');
  run = (command: string, ...parameters: string[]) => spawnSync(command, parameters, { cwd: this.folder, encoding: 'utf8' });

  contents(): Map<string, string> {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(this.folder.length + 1));
    const own = paths.filter((path) => !/^(?:node_modules|\.cache)\//.test(path)).toSorted();
    return new Map(own.map((path) => [path, createHash('sha256').update(this.read(path)).digest('hex')]));
  }

  /** Returns the paths of the files that differ from the original. */
  changed(): string[] {
    const after = this.contents();
    const paths = new Set([...this.before.keys(), ...after.keys()]);
    return [...paths].filter((path) => this.before.get(path) !== after.get(path)).toSorted();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

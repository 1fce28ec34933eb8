import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

/** Copies all files that git does not ignore to another folder, and links node_modules. */
export function copySources(folder) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', '-z'], { cwd: projectDir });
  for (const path of String(listed).split('\0').filter(Boolean)) cpSync(join(projectDir, path), join(folder, path));
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'));
}

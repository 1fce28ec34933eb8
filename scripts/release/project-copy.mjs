import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Copies the last commit of a project, with its history, to a new folder in `.cache`. Returns the folder. */
export function copyCommit(project) {
  mkdirSync(join(project, '.cache'), { recursive: true });
  const copy = mkdtempSync(join(project, '.cache/release-'));
  run('git', ['clone', '--quiet', '--shared', project, copy]);
  for (const name of ['user.name', 'user.email']) {
    const value = run('git', ['config', '--default', '', '--get', name]).trim();
    if (value !== '') run('git', ['-C', copy, 'config', name, value]);
  }
  return copy;
}

/** Gives the project the commit and the tag of its copy. @throws Error if the project has newer commits */
export function takeOver(project, copy, tag) {
  const git = (...parameters) => run('git', ['-C', project, ...parameters]);
  git('fetch', '--quiet', '--no-tags', copy, 'HEAD');
  git('merge', '--quiet', '--ff-only', 'FETCH_HEAD');
  git('fetch', '--quiet', copy, `refs/tags/${tag}:refs/tags/${tag}`);
}

const INSTALL = ['install', '--no-save', '--workspaces', '--include-workspace-root', '--include=dev', '--no-audit', '--no-fund'];

/**
 * Lets the copy use the installed packages and the tools of the project, and installs missing packages in the project: an installation in the
 * copy would replace the link by a folder without the other packages.
 * @throws Error if other versions than those of the lock file are installed
 */
export function linkPackages(project, copy) {
  const { packages } = JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8'));
  const before = installedPackages(project);
  const isNeeded = (path) => path.includes('node_modules/') && !packages[path].optional;
  if (Object.keys(packages).some((path) => isNeeded(path) && !before[path])) {
    console.log('... installing the tools');
    run('npm', INSTALL, { cwd: project });
  }
  const installed = installedPackages(project);
  const other = Object.keys(installed).filter((path) => installed[path].integrity !== packages[path]?.integrity);
  if (other.length > 0)
    throw new Error(
      `Other packages are installed than those of the lock file (${other.slice(0, 3).join(', ')}). Run "npm ci --workspaces --include-workspace-root".`,
    );
  for (const name of ['node_modules', '.cache'])
    if (!existsSync(join(copy, name))) symlinkSync(join(project, name), join(copy, name));
}

function installedPackages(project) {
  const path = join(project, 'node_modules/.package-lock.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

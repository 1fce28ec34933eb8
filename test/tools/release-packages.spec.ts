import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkPackages } from '../../scripts/release/project-copy.mjs';

/** A project whose tools are not installed, as after `npm install` in a fresh clone. */
describe('the packages of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-packages-'));
  const [project, copy] = [join(folder, 'project'), join(folder, 'copy')];
  const npm = (...parameters: string[]) => execFileSync('npm', parameters, { cwd: project, encoding: 'utf8' });

  beforeAll(() => {
    mkdirSync(join(project, 'tools'), { recursive: true });
    mkdirSync(copy);
    writeFileSync(join(project, 'tools/package.json'), '{"name": "tools", "version": "1.0.0"}');
    writeFileSync(join(project, 'package.json'), '{"name": "root", "private": true, "workspaces": ["tools"]}');
    npm('install', '--package-lock-only');
    writeFileSync(join(copy, 'package-lock.json'), readFileSync(join(project, 'package-lock.json')));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are installed if they are missing, so that the copy needs no installation', () => {
    expect(existsSync(join(project, 'node_modules/tools'))).toBe(false);
    linkPackages(project, copy);
    expect(existsSync(join(copy, 'node_modules/tools/package.json'))).toBe(true);
  });
});

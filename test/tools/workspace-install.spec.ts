import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { installOf } from '../../scripts/build-if-stale.mjs';

const folder = mkdtempSync(join(tmpdir(), 'workspace-install-'));
afterAll(() => rmSync(folder, { recursive: true }));

const npm = (...parameters: string[]) => spawnSync('npm', parameters, { cwd: folder, encoding: 'utf8' });

it('leaves package-lock.json as it is, so that no other output becomes stale', () => {
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages/package.json'), '{"name": "pages", "version": "1.0.0"}');
  writeFileSync(join(folder, 'package.json'), '{"name": "root", "private": true, "workspaces": ["pages"]}');
  expect(npm('install')).toMatchObject({ status: 0 });
  const lock = join(folder, 'package-lock.json');
  const past = new Date('2026-01-01T00:00:00Z');
  utimesSync(lock, past, past);

  expect(npm(...installOf('pages'))).toMatchObject({ status: 0 });

  expect(statSync(lock).mtime).toEqual(past);
});

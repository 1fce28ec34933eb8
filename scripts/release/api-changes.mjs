import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';
import { run } from './run.mjs';

const REDOCLY = join(projectDir, 'node_modules/@redocly/cli/bin/cli.js');

/** Returns the version bump that the changes of openapi.json since a tag require, and the breaking changes. */
export function apiChanges(tag) {
  const before = run('git', ['show', `${tag}:./openapi.json`]);
  if (before === readFileSync('openapi.json', 'utf8')) return { bump: undefined, breaking: [] };
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    const base = join(folder, 'openapi.json');
    writeFileSync(base, before);
    process.env.REDOCLY_TELEMETRY = 'off';
    process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';
    const report = run(process.execPath, [REDOCLY, 'diff', base, 'openapi.json', '--format=json', '--fail-on=none']);
    const { bump, changes } = JSON.parse(report);
    return { bump, breaking: changes.filter(({ impact }) => impact === 'major').map(described) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function described({ path, kind, verdicts }) {
  const messages = verdicts.map(({ message }) => message).join(' ');
  return `- ${path.replaceAll('~1', '/').replace(/^#\//, '')}: ${messages || kind}`;
}

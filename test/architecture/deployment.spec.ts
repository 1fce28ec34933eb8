import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '#platform/config';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const startProd = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts['start:prod']!;

describe('the deployment configuration', () => {
  it('starts the file that npm run start:prod starts', () => {
    const entryPoint = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(read('Dockerfile'))![1]!) as string[];
    const unit = read('deploy/systemd/identity-service@.service');

    expect(entryPoint.join(' ')).toBe(startProd);
    expect(unit).toContain(`ExecStart=/usr/bin/env ${startProd}\n`);
  });

  it('runs the service without root privileges', () => {
    const [, uid, gid] = /^USER (\d+):(\d+)$/m.exec(read('Dockerfile'))!;
    const chart = read('deploy/helm/identity-service/templates/deployments.yaml');

    expect(Number(uid)).toBeGreaterThan(0);
    expect(chart).toContain(`runAsUser: ${uid}\n`);
    expect(chart).toContain(`runAsGroup: ${gid}\n`);
  });

  it('sets only environment variables that the service reads', () => {
    const known = new Set([...Object.keys(VARIABLES), 'NODE_ENV']);
    const compose = read('compose.yaml');
    const given = compose.slice(compose.indexOf('x-environment:'), compose.indexOf('\n  postgres:'));
    const names = [...given.matchAll(/^\s+([A-Z][A-Z_]+):/gm)].map((match) => match[1]!);
    const ofImage = /^ENV (.*)$/m
      .exec(read('Dockerfile'))![1]!
      .split(' ')
      .map((pair) => pair.split('=')[0]!);

    expect(names).toContain('DATABASE_URL');
    expect([...names, ...ofImage].filter((name) => !known.has(name))).toEqual([]);
  });
});

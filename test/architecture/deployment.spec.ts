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

  it('passes on every path of the server and keeps health checks and metrics at a port of their own', () => {
    const port = /MONITORING_PORT=(\d+)/.exec(read('Dockerfile'))![1];
    const chart = ['deployments', 'network', 'monitoring'].map((name) =>
      read(`deploy/helm/identity-service/templates/${name}.yaml`),
    );
    const probed = [...chart.join('\n').matchAll(/path: (\/\S*?),? .*port: (\w+)|- port: (\w+)\n {6}path/g)];

    expect([...chart[1]!.matchAll(/- path: (.*)\n +pathType: (.*)/g)].map(([, path, type]) => [path, type])).toEqual([
      ['/', 'Prefix'],
    ]);
    expect(probed.map((match) => match[2] ?? match[3])).toEqual(['monitoring', 'monitoring', 'monitoring', 'monitoring']);
    expect(chart[0]).toContain(`name: monitoring\n              containerPort: ${port}\n`);
    expect(read('Dockerfile')).toContain('process.env.MONITORING_PORT}/health/live');
    expect(read('deploy/prometheus/prometheus.yml')).toContain(`port: ${port}\n`);
  });

  it('labels the image with the version and the commit that the service reports', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const dockerfile = read('Dockerfile');

    expect(dockerfile).toContain(`ARG VERSION=${version}\nARG COMMIT=unknown\nLABEL `);
    expect(dockerfile).toMatch(/image\.version="\$\{VERSION\}".*\n.*image\.revision="\$\{COMMIT\}"/);
    expect(dockerfile).toMatch(/ARG COMMIT=unknown\nRUN npm run packages:server/);
    for (const name of ['openapi.json', 'openapi-scim.json'])
      expect((JSON.parse(read(name)) as { info: { version: string } }).info.version).toBe(version);
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

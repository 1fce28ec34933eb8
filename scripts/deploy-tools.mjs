import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

// The tools that check the deployment files. Downloads missing ones to .cache/tools (Go, pip and apt-get are needed).
const TOOLS = join(projectDir, '.cache/tools');
mkdirSync(TOOLS, { recursive: true });

/** Runs a check and returns its output. @throws Error with the whole output if the check fails */
export function check(what, program, args) {
  const output = run(program, args);
  console.log(`ok  ${what}`);
  return output;
}

function run(program, args, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

export function go(module, name) {
  return fetched(join(TOOLS, name), () => run('go', ['install', module], { GOBIN: TOOLS, GOFLAGS: '' }));
}

/** Installs a program of a Python package, and adds the folder of the package to the import path. */
export function python(name, program) {
  const target = join(TOOLS, name);
  const path = join(target, 'bin', program);
  fetched(path, () => run('python3', ['-m', 'pip', 'install', '--quiet', '--target', target, name]));
  process.env.PYTHONPATH = target;
  return path;
}

export function debian(name, program) {
  const target = join(TOOLS, name);
  return fetched(join(target, program), () => {
    mkdirSync(target, { recursive: true });
    run('sh', ['-ec', `cd "$0"; apt-get download ${name}; dpkg -x ${name}_*.deb .; rm ${name}_*.deb`, target]);
  });
}

function fetched(path, fetch) {
  if (!existsSync(path)) {
    console.log(`... fetching ${path.slice(TOOLS.length + 1)}`);
    fetch();
  }
  return path;
}

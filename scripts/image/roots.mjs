import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';

/** Downloaded and bootstrapped once, and kept: everything here can be made again. */
const CACHE_DIR = join(projectDir, '.cache/image');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Runs a program and gives what it printed. @throws Error with the end of its output when it fails */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (error) throw error;
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} exited with ${status}:\n${`${stdout}\n${stderr}`.trim().split('\n').slice(-25).join('\n')}`,
    );
  return stdout.trim();
}

/** The disk use of a folder in MB (10^6 bytes), as files fill it. */
export const megabytes = (path) => Number(run('du', ['-s', '--apparent-size', '-B1', path]).split('\t')[0]) / 1e6;

/**
 * An empty root as an image of that name begins: `debian:<release>-slim` by debootstrap, `node:<version>-<release>-slim` that and Node with
 * npm from the npm registry. The images themselves come from a registry that needs no engine but can't be reached everywhere.
 */
export function rootOf(image) {
  const [, program, version, release] = /^(debian|node):(?:(\d+)-)?([a-z]+)-slim$/.exec(image) ?? [];
  if (!program) throw new Error(`The check can't create a root file system for ${image}.`);
  const base = debianRoot(release);
  if (program === 'debian') return base;
  return kept(`node-${version}-${release}`, (root) => {
    run('cp', ['-a', base, root]);
    unpack(`node-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}@${version}`, join(root, 'usr/local'));
    unpack('npm@11', join(root, 'usr/local/lib/node_modules/npm'));
    for (const name of ['npm', 'npx'])
      writeFileSync(
        join(root, 'usr/local/bin', name),
        `#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/${name}-cli.js "$@"\n`,
        {
          mode: 0o755,
        },
      );
  });
}

function debianRoot(release) {
  return kept(`debian-${release}`, (root) => {
    if (!existsSync('/usr/sbin/debootstrap')) run('apt-get', ['install', '-y', '--no-install-recommends', 'debootstrap']);
    run('debootstrap', ['--variant=minbase', release, root], {
      env: { ...process.env, PATH: `/usr/sbin:/sbin:${process.env.PATH}` },
    });
    // As the slim images leave it.
    for (const path of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
      rmSync(join(root, path), { recursive: true, force: true });
  });
}

function unpack(name, target) {
  const folder = mkdtempSync(join(CACHE_DIR, 'pack-'));
  const file = run('npm', ['pack', name, '--silent', '--pack-destination', folder]).split('\n').at(-1);
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', join(folder, file), '-C', target, '--strip-components=1', '--no-same-owner']);
  rmSync(folder, { recursive: true });
}

function kept(name, make) {
  const root = join(CACHE_DIR, name);
  if (!existsSync(root)) {
    mkdirSync(CACHE_DIR, { recursive: true });
    const aside = `${root}.new`;
    rmSync(aside, { recursive: true, force: true });
    make(aside);
    run('mv', [aside, root]);
  }
  return root;
}

/** A command of a build step: as root in its root, with network, name resolution, and the machine's certificates. */
export function runInRoot(root, command, { workdir, variables, caches }) {
  const binds = [
    ['/dev', '/dev'],
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    [CERTIFICATES, '/tmp/certificates.crt'],
  ];
  const npmCache = run('npm', ['config', 'get', 'cache']);
  for (const target of caches) binds.push([npmCache, target]);
  const mounts = binds
    .filter(([from]) => existsSync(from))
    .map(([from, to]) => {
      const at = join(root, to);
      mkdirSync(dirname(at), { recursive: true });
      return `if [ -d ${from} ]; then mkdir -p ${at}; else touch ${at}; fi; mount --rbind ${from} ${at}`;
    });
  const script = [
    ...mounts,
    `mount -t proc proc ${root}/proc`,
    `exec chroot ${root} /bin/sh -c 'cd "$0" && eval "$1"' "$@"`,
  ].join('\n');
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    ...(existsSync(CERTIFICATES)
      ? { NODE_EXTRA_CA_CERTS: '/tmp/certificates.crt', npm_config_cafile: '/tmp/certificates.crt' }
      : {}),
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name))),
    ...variables,
  };
  run('unshare', ['--mount', '--propagation', 'private', 'sh', '-ec', script, 'sh', workdir, command], { env });
  rmSync(join(root, 'tmp/certificates.crt'), { force: true });
}

/** Whether the context that Docker would get has a path: `.dockerignore` here is a list of what is let in. */
export function isInContext(path) {
  const allowed = readFileSync(join(projectDir, '.dockerignore'), 'utf8').split('\n');
  return allowed.some((line) => line.startsWith('!') && (path === line.slice(1) || path.startsWith(`${line.slice(1)}/`)));
}

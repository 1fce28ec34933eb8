import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';

export const IMAGE = 'localhost/identity-service';

/**
 * Arguments that run a container on machines that restrict us. Uses runc, because crun rejects machines with both versions of cgroups. Sets
 * limits, because podman would otherwise raise them, which requires CAP_SYS_RESOURCE.
 */
export const CONTAINER = ['--runtime=runc', '--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096'];

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Runs a program and returns its standard output. @throws Error with the last lines of the output if the program fails */
export function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (error?.code === 'ENOENT') throw new Error(`"${program}" is not installed`);
  if (error) throw error;
  if (status !== 0) {
    const lastLines = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n').slice(-25).join('\n');
    throw new Error(`${program} ${args.join(' ')} exited with ${status}:\n${lastLines}`);
  }
  return stdout?.trim();
}

/** Returns podman arguments with a separate image storage, so that locally built base images are used only for this check. */
export const withStorage = (args) => ['--root', join(projectDir, '.cache/image/storage'), ...args];

export const podman = (args, options) => run('podman', withStorage(args), options);

/**
 * Builds the Dockerfile of a folder. Base images come from the registry or, if no registry is reachable, are built locally under the same names.
 */
export function buildImage(log, { folder = projectDir, variables = {} } = {}) {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8');
  const argument = (name) => new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(dockerfile)[1];
  const [node, release] = [argument('NODE_VERSION'), argument('DEBIAN_RELEASE')];
  const debianImage = `docker.io/library/debian:${release}-slim`;
  provide(debianImage, () => makeDebianImage(debianImage, release), log);
  const nodeImage = `docker.io/library/node:${node}-${release}-slim`;
  provide(nodeImage, () => makeNodeImage(nodeImage, node, debianImage), log);
  const settings = Object.entries(variables).map(([name, value]) => `--build-arg=${name}=${value}`);
  podman([...BUILD, '--layers=false', ...settings, '--tag', IMAGE, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Builds the image of a release as an archive with the OCI image layout. */
export function makeImage({ folder, version, commit, archive }) {
  buildImage(console.log, { folder, variables: { VERSION: version, COMMIT: commit } });
  podman(['save', '--quiet', '--format=oci-archive', '--output', archive, IMAGE]);
  podman(['image', 'rm', '--force', IMAGE]);
}

/** Returns the labels of an image in an archive, and what its program prints. */
export function tryArchive(archive, parameters) {
  const image = podman(['pull', '--quiet', `oci-archive:${archive}`]);
  const labels = JSON.parse(podman(['image', 'inspect', '--format', '{{json .Config.Labels}}', image]));
  const printed = podman(['run', ...CONTAINER, '--rm', image, ...parameters]);
  podman(['image', 'rm', '--force', image]);
  return { labels, printed };
}

// The Docker image format supports HEALTHCHECK, the OCI format does not. Chroot isolation needs no cgroups and no separate network.
const BUILD = ['build', '--format=docker', '--isolation=chroot', '--network=host', '--pull=never'];

function provide(image, make, log) {
  const succeeds = (args) => spawnSync('podman', withStorage(args), { stdio: 'ignore' }).status === 0;
  if (succeeds(['image', 'exists', image]) || succeeds(['pull', image])) return;
  log(`No registry has ${image} for us; making it.`);
  make();
}

function makeDebianImage(image, release) {
  const archive = join(mkdtempSync(join(tmpdir(), 'image-check-')), 'root.tar');
  // The slim images of Debian have none of these folders.
  const hook = '--customize-hook=cd "$1/usr/share" && rm -rf doc man locale';
  run('mmdebstrap', ['--quiet', '--variant=apt', hook, release, archive]);
  podman(['import', archive, image]);
  rmSync(join(archive, '..'), { recursive: true });
}

/** Installs Node.js and npm from the npm registry. Copies the certificates of this machine, because a proxy can require them. */
function makeNodeImage(image, version, debianImage) {
  const folder = mkdtempSync(join(tmpdir(), 'image-check-'));
  const prefix = join(folder, 'local');
  run('npm', ['install', '--global', '--prefix', prefix, `node-linux-${process.arch}@${version}`, 'npm@11'], { cwd: folder });
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(prefix, 'certificates.crt'));
  const steps = [
    `FROM ${debianImage}`,
    'COPY local /usr/local',
    'ENV NODE_EXTRA_CA_CERTS=/usr/local/certificates.crt',
    'RUN cd /usr/local/bin && cp --remove-destination "$(readlink -f node)" node',
  ];
  writeFileSync(join(folder, 'Containerfile'), steps.join('\n'));
  podman([...BUILD, '--tag', image, folder]);
  rmSync(folder, { recursive: true });
}

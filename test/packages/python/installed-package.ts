import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from '../../../scripts/python-tools.mjs';
import { installProgram } from '../../support/apt-get.js';

export const ROOT = join(import.meta.dirname, '../../..');
/** The path is constant. mypy therefore reuses the results of earlier runs. */
export const FOLDER = join(ROOT, '.cache/python/test');
/** The Python interpreter of the environment with the package. */
export const PYTHON = join(FOLDER, 'venv/bin/python');
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

export const run = promisify(execFile);

/** Python code that runs before the tests. `failure` returns the error of a call as a dictionary. */
export const SET_UP = `
  import datetime, importlib.metadata, itertools, json, os, threading, time, unittest.mock
  import httpx
  from identity_service import *
  from identity_service.models import *

  identity = IdentityClient(os.environ["BASE_URL"], api_key=os.environ["API_KEY"])
  unreliable = IdentityClient(os.environ["PROXY_URL"] + "/", api_key=os.environ["API_KEY"], timeout=5)
  org = "acme"

  def failure(call):
      try:
          call()
      except (IdentityServiceError, WebhookVerificationError) as error:
          fields = ["code", "status", "message", "request_id", "retry_after_seconds"]
          details = {name: getattr(error, name) for name in fields if hasattr(error, name)}
          return {"name": type(error).__name__, "text": str(error), **details}
      return None

  identity.create_organization(name="Acme", slug=org)
`;

/** Installs the package in an environment without other files of this repository. */
export async function installPackage(): Promise<void> {
  await installProgram({
    debianPackage: 'python3-venv',
    homebrewPackage: 'python',
    described: 'Python 3.11 or newer with venv',
    isThere: () => spawnSync('python3', ['-c', 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))']).status === 0,
  });
  const { stdout } = await run(process.execPath, ['scripts/packages-python.mjs'], { cwd: ROOT });
  const wheel = stdout.split('\n').find((path) => path.endsWith(`identity_service-${VERSION}-py3-none-any.whl`));
  if (wheel === undefined) throw new Error(`There is no wheel of version ${VERSION}: ${stdout}`);
  mkdirSync(FOLDER, { recursive: true });
  rmSync(join(FOLDER, 'venv'), { recursive: true, force: true });
  await run('python3', ['-m', 'venv', '--without-pip', join(FOLDER, 'venv')]);
  const pip = ['--python', PYTHON, 'install', '--quiet', '--no-compile', wheel, 'flask==3.1.2'];
  await run(join(await pythonTools(), 'python'), ['-m', 'pip', ...pip]);
}

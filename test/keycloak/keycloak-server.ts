import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { installProgram } from '../support/apt-get.js';
import { findFreePort } from '../support/free-port.js';

export const VERSION = '26.7.3';
const CACHE = join(import.meta.dirname, '../../.cache/keycloak');
export const ADMIN = { username: 'admin', password: 'keycloak-admin-password' };

/** The memory of the server. */
const MEMORY = '-Xms64m -Xmx512m';
/** Without the optimizing compiler, the start takes half of the time. */
const QUICK_START = '-XX:TieredStopAtLevel=1';
const START_TIMEOUT_MS = 180_000;
const POLL_MS = 200;

/** Time for the download and the build of Keycloak, and for a start. */
export const KEYCLOAK_TIMEOUT_MS = 600_000;

const run = promisify(execFile);

/** A user of a realm, in the format of Keycloak. */
interface KeycloakUser {
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
}

/** A running Keycloak on 127.0.0.1. */
export class KeycloakServer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * Starts Keycloak with an in-memory database for tests, or with a PostgreSQL database and the optimizing compiler for measurements. The
   * first start on a machine downloads it with Maven and builds it, which takes about a minute.
   */
  static async start({ databaseUrl, port: givenPort }: { databaseUrl?: string; port?: number } = {}): Promise<KeycloakServer> {
    const home = await installKeycloak(databaseUrl ? 'postgres' : 'dev-mem');
    const port = givenPort ?? (await findFreePort());
    const options = ['--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`, '--hostname-strict=false'];
    const child = spawn('sh', [join(home, 'bin/kc.sh'), 'start', '--optimized', ...options, '--cache=local'], {
      env: {
        ...process.env,
        ...(databaseUrl ? databaseVariables(databaseUrl) : {}),
        JAVA_OPTS_KC_HEAP: databaseUrl ? MEMORY : `${MEMORY} ${QUICK_START}`,
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new KeycloakServer(`http://127.0.0.1:${port}`, child);
    // Stops the server if the test process exits without stop(). kc.sh forwards the signal to Java.
    process.once('exit', server.stopAtExit);
    try {
      await server.ready();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** The process of the start script, whose child is Java. */
  get pid(): number {
    return this.child.pid!;
  }

  issuerOf(realm: string): string {
    return `${this.url}/realms/${realm}`;
  }

  /** Creates a realm. `representation` can have its settings, clients and users, in the format of Keycloak. */
  async createRealm(realm: string, representation: object = {}): Promise<void> {
    await this.admin('POST', '', { realm, enabled: true, ...representation });
  }

  /** Creates a user with a password. Returns the ID. */
  async createUser(realm: string, user: KeycloakUser, password: string): Promise<string> {
    const credentials = [{ type: 'password', value: password, temporary: false }];
    await this.admin('POST', `/${realm}/users`, { ...user, enabled: true, credentials });
    const [created] = JSON.parse(await this.admin('GET', `/${realm}/users?exact=true&username=${user.username}`)) as [
      { id: string },
    ];
    return created.id;
  }

  /** Adds an OpenID Connect provider with which users of a realm can sign in, as the admin console does: with its metadata. */
  async createBroker(realm: string, alias: string, metadata: string, client: Record<string, string>): Promise<void> {
    const provider = { providerId: 'oidc', fromUrl: metadata };
    const imported = JSON.parse(await this.admin('POST', `/${realm}/identity-provider/import-config`, provider)) as object;
    const config = { ...imported, ...client };
    await this.admin('POST', `/${realm}/identity-provider/instances`, { alias, providerId: 'oidc', enabled: true, config });
  }

  /** Turns on "Email verified" of a user. */
  async verifyEmail(realm: string, id: string, user: KeycloakUser): Promise<void> {
    await this.admin('PUT', `/${realm}/users/${id}`, { ...user, emailVerified: true });
  }

  async stop(): Promise<void> {
    process.off('exit', this.stopAtExit);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private readonly stopAtExit = (): void => void this.child.kill('SIGTERM');

  private async ready(): Promise<void> {
    let output = '';
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_096)));
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!(await this.responds())) {
      const problem = this.child.exitCode !== null ? `ended with ${this.child.exitCode}` : 'was not ready in time';
      if (this.child.exitCode !== null || performance.now() > deadline) throw new Error(`Keycloak ${problem}:\n${output}`);
      await sleep(POLL_MS);
    }
  }

  private async responds(): Promise<boolean> {
    const response = await fetch(this.issuerOf('master')).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200;
  }

  /** Calls the admin API, and returns the response. A token lives one minute, so each call gets its own. */
  private async admin(method: string, path: string, body?: object): Promise<string> {
    const grant = new URLSearchParams({ client_id: 'admin-cli', grant_type: 'password', ...ADMIN });
    const token = await fetch(`${this.issuerOf('master')}/protocol/openid-connect/token`, { method: 'POST', body: grant });
    const { access_token: accessToken } = (await token.json()) as { access_token: string };
    const response = await fetch(`${this.url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} of Keycloak returned ${response.status}: ${text}`);
    return text;
  }
}

function databaseVariables(url: string): Record<string, string> {
  const { host, pathname, username, password } = new URL(url);
  return {
    KC_DB_URL: `jdbc:postgresql://${host}${pathname}`,
    KC_DB_USERNAME: decodeURIComponent(username),
    KC_DB_PASSWORD: decodeURIComponent(password),
  };
}

/** Downloads and builds Keycloak under a temporary name, so that an interrupted installation is never used. Returns its folder. */
async function installKeycloak(database: 'dev-mem' | 'postgres'): Promise<string> {
  const home = join(CACHE, `keycloak-${VERSION}${database === 'dev-mem' ? '' : `-${database}`}`);
  if (existsSync(home)) return home;
  // With Java 17 or newer.
  await installProgram('maven', ['mvn', '--version']);
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'download-'));
  try {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
    await run('mvn', ['-q', '-B', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${unfinished}`], {
      cwd: unfinished,
    });
    const unpacked = join(unfinished, `keycloak-${VERSION}`);
    await run('sh', [join(unpacked, 'bin/kc.sh'), 'build', `--db=${database}`], {
      env: { ...process.env, JAVA_OPTS_KC_HEAP: `${MEMORY} ${QUICK_START}` },
    });
    renameSync(unpacked, home);
    return home;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

// Processor time: compilers, a Java virtual machine, and the pages in Chromium.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { KeycloakServer, VERSION as KEYCLOAK_VERSION } from '../keycloak/keycloak-server.js';
import { installProgram } from '../support/apt-get.js';
import { findFreePort } from '../support/free-port.js';
import { ownDomains } from '../support/oidc.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { pythonPrograms } from '../support/python-programs.js';
import { activeUser } from '../support/sign-in.js';
import { openPage, testSite } from '../support/web.js';
import {
  CACHE,
  INSTALL_TIMEOUT_MS,
  printVersion,
  Program,
  type ProgramClient,
  run,
  sampleOf,
  signInAtPages,
} from './programs.js';

const SIGNED_OUT = '/signed-out';

/** A program that signs users in, with the values that the dashboard shows for it. */
interface RelyingParty {
  readonly redirectPath: string;
  /** Fields of the client that are not the defaults. */
  readonly fields?: object;
  /** Default: "/signed-out". */
  readonly postLogoutPath?: string;
  /** What a program shows of the user. Default: the claims. */
  readonly profile?: object;
  /** Installs and starts the program, and prints its version. */
  start(client: ProgramClient): Promise<{ stop(): Promise<void> }>;
  /** Opens the sign-in page of the service. By default, an unknown visitor comes to it at once. */
  begin?(page: Page, client: ProgramClient): Promise<void>;
  /** Returns what the program shows of the user. By default, "/" shows it. */
  show?(page: Page, client: ProgramClient): Promise<unknown>;
  /** Signs the user out at the program. By default, with "/sign-out". */
  signOut?(page: Page, client: ProgramClient): Promise<void>;
}

const email = 'ada@acme.example';
const claims = { email, email_verified: true, org_name: 'Acme', roles: ['admin'] };

async function shownAt(page: Page, address: string): Promise<unknown> {
  await page.goto(address);
  return JSON.parse(await page.locator('body').innerText());
}

/** Answers the question of the service, which has no proof who asks for the sign-out. */
const confirmSignOut = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign out' }).click();

/** Copies the sources of a program to the cache, next to what earlier runs installed. */
function freshFolder(name: string, sources = name): string {
  const folder = join(CACHE, name);
  cpSync(join(import.meta.dirname, sources), folder, { recursive: true });
  return folder;
}

/** Starts a program for Node.js, with files that are made from samples. */
async function startNode(
  client: ProgramClient,
  printed: string,
  program: string,
  files: Readonly<Record<string, string>>,
): Promise<Program> {
  const lock = readFileSync(join(import.meta.dirname, 'node/package-lock.json'));
  const folder = freshFolder(`node-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`, 'node');
  // npm writes this file last.
  if (!existsSync(join(folder, 'node_modules/.package-lock.json')))
    await run(folder, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', printed, 'package.json'), 'utf8'));
  printVersion(`${printed} ${version}`);
  return Program.start(client, process.execPath, [program], folder);
}

const GO = join(CACHE, 'go');
const inGo = (...parameters: string[]): Promise<string> => run(GO, 'go', parameters);
async function buildGo(...packages: string[]): Promise<void> {
  freshFolder('go');
  await inGo('build', '-buildvcs=false', '-o', 'bin/', ...packages);
}

const PROGRAMS: Record<string, RelyingParty> = {
  'go-oidc and golang.org/x/oauth2': {
    redirectPath: '/callback',
    async start(client) {
      await buildGo('.');
      printVersion(await inGo('list', '-m', 'github.com/coreos/go-oidc/v3', 'golang.org/x/oauth2'));
      return Program.start(client, join(GO, 'bin/relying-party'), []);
    },
  },

  'oauth2-proxy': {
    redirectPath: '/oauth2/callback',
    profile: { email, groups: ['admin'] },
    show: (page, { url }) => shownAt(page, `${url}/oauth2/userinfo`),
    async start(client) {
      await buildGo('github.com/oauth2-proxy/oauth2-proxy/v7');
      printVersion(await inGo('list', '-m', 'github.com/oauth2-proxy/oauth2-proxy/v7'));
      const secret = join(GO, 'client_secret');
      writeFileSync(secret, client.clientSecret);
      const sample = sampleOf('oauth2-proxy', client, this.redirectPath).replace('/run/secrets/client_secret', secret);
      writeFileSync(join(GO, 'oauth2-proxy.cfg'), sample);
      const { host, hostname } = new URL(client.issuer);
      return Program.start(
        client,
        join(GO, 'bin/oauth2-proxy'),
        [
          '--config=oauth2-proxy.cfg',
          `--http-address=${new URL(client.url).host}`,
          '--upstream=static://200',
          '--cookie-secret=0123456789abcdef0123456789abcdef',
          '--cookie-secure=false',
          '--skip-provider-button',
          `--whitelist-domain=${host}`,
          `--whitelist-domain=${hostname}`,
        ],
        GO,
      );
    },
    async signOut(page, { url, issuer, clientId }) {
      const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: url + SIGNED_OUT });
      await page.goto(`${url}/oauth2/sign_out?rd=${encodeURIComponent(`${issuer}/oauth/logout?${query}`)}`);
      await confirmSignOut(page);
    },
  },

  'Authlib with Django': {
    redirectPath: '/callback',
    profile: { ...claims, amr: ['password'] },
    async start(client) {
      const programs = await pythonPrograms('relying-parties/python', join(import.meta.dirname, 'python/requirements.txt'));
      const folder = freshFolder('python-app', 'python');
      const [settings, views] = sampleOf('Django', client, this.redirectPath).split('# views.py');
      writeFileSync(join(folder, 'settings_sample.py'), `import os\n${settings}`);
      writeFileSync(join(folder, 'views.py'), views!);
      const versions = "from importlib.metadata import version as v; print('Authlib', v('authlib'), 'Django', v('django'))";
      printVersion(await run(folder, join(programs, 'python'), ['-c', versions]));
      return Program.start(client, join(programs, 'python'), ['app.py'], folder);
    },
  },

  'Auth.js': {
    redirectPath: '/api/auth/callback/identity',
    async start(client) {
      const sample = sampleOf('Next.js', client, this.redirectPath).split('// app/')[0]!;
      const config = sample
        .replace("import NextAuth from 'next-auth';", '')
        .replace('{ handlers, auth, signIn, signOut } = NextAuth(', 'config = (');
      return startNode(client, '@auth/express', 'auth-js.mjs', { 'auth.mjs': config });
    },
    begin: (page) => page.getByRole('button', { name: 'Sign in with Identity' }).click(),
    async signOut(page, { url }) {
      await page.goto(`${url}/api/auth/signout?${new URLSearchParams({ callbackUrl: `${url}/sign-out` })}`);
      await page.getByRole('button', { name: 'Sign out' }).click();
    },
  },

  'openid-client with Express': {
    redirectPath: '/callback',
    profile: { ...claims, amr: ['password'] },
    start(client) {
      const sample = sampleOf('Express', client, this.redirectPath).replace(
        'undefined, secret)',
        'undefined, secret, { execute: [openid.allowInsecureRequests] })',
      );
      const pages = readFileSync(join(import.meta.dirname, 'node/express.mjs'), 'utf8');
      return startNode(client, 'express', 'express-app.mjs', { 'express-app.mjs': sample + pages });
    },
    async signOut(page, { url }) {
      await page.goto(`${url}/sign-out`);
      await confirmSignOut(page);
    },
  },

  'Spring Security': {
    redirectPath: '/login/oauth2/code/identity',
    fields: { idTokenAlgorithm: 'RS256' },
    async start(client) {
      await installProgram('maven', ['mvn', '--version']);
      const folder = freshFolder('spring');
      const [configuration, bean] = sampleOf('Spring', client, this.redirectPath).split('// SecurityConfiguration.java');
      mkdirSync(join(folder, 'src/main/resources'), { recursive: true });
      writeFileSync(join(folder, 'src/main/resources/application.yml'), configuration!);
      const program = join(folder, 'src/main/java/example/RelyingParty.java');
      const withLogout = bean!.replace('.build();', '.logout(atIssuer(clients))\n    .build();');
      writeFileSync(program, readFileSync(program, 'utf8').replace('  // The sample of the dashboard follows here.', withLogout));
      const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
      await run(folder, 'mvn', ['-q', '-B', 'compile', ...classpath]);
      const path = `target/classes:${readFileSync(join(folder, 'classpath.txt'), 'utf8').trim()}`;
      printVersion(/[^/]*spring-security-oauth2-client-[\d.]+\d/.exec(path)![0]);
      const port = `--server.port=${new URL(client.url).port}`;
      const options = ['-XX:TieredStopAtLevel=1', '-Xmx256m', '-cp', path];
      return Program.start(client, 'java', [...options, 'example.RelyingParty', port, '--server.address=127.0.0.1'], folder);
    },
    async signOut(page, { url }) {
      await page.goto(`${url}/logout`);
      await page.getByRole('button', { name: 'Log Out' }).click();
    },
  },

  'Keycloak as a broker': {
    redirectPath: '/realms/acme/broker/identity/endpoint',
    postLogoutPath: '/realms/acme/broker/identity/endpoint/logout_response',
    profile: { email },
    async start({ url, issuer, clientId, clientSecret }) {
      const keycloak = await KeycloakServer.start({ port: Number(new URL(url).port) });
      await keycloak.createRealm('acme');
      printVersion(`Keycloak ${KEYCLOAK_VERSION}`);
      const authentication = { clientId, clientSecret, clientAuthMethod: 'client_secret_basic' };
      const options = { ...authentication, pkceEnabled: 'true', pkceMethod: 'S256', defaultScope: 'openid profile email' };
      await keycloak.createBroker('acme', 'identity', `${issuer}/.well-known/openid-configuration`, options);
      return keycloak;
    },
    async begin(page, { url }) {
      await page.goto(`${url}/realms/acme/account`);
      await page.getByRole('link', { name: 'identity' }).click();
    },
    async show(page) {
      const field = page.getByRole('textbox', { name: 'Email' });
      await field.waitFor();
      return { email: await field.inputValue() };
    },
    async signOut(page) {
      await page.getByRole('button', { name: 'Ada Lovelace' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
  },
};

describe.each(Object.entries(PROGRAMS))('%s', (_, program) => {
  const { postLogoutPath = SIGNED_OUT, profile = claims } = program;
  const app = testSite();
  let running: Awaited<ReturnType<RelyingParty['start']>>;
  let client: ProgramClient;

  beforeAll(async () => {
    mkdirSync(CACHE, { recursive: true });
    const { id: acme } = await newOrganization(app, { name: 'Acme' });
    await ownDomains(app, acme, ['acme.example']);
    await activeUser(app, acme, { email, firstName: 'Ada', lastName: 'Lovelace', roles: ['admin'] });
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const uris = { redirectUris: [url + program.redirectPath], postLogoutRedirectUris: [url + postLogoutPath] };
    const { id, secret } = await made(app, at(acme, '/oauth-clients'), {
      name: 'Billing',
      type: 'web',
      ...uris,
      ...program.fields,
    });
    client = { issuer: app.config.baseUrl, clientId: id, clientSecret: secret, url };
    running = await program.start(client);
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => running?.stop());

  it('signs a user in and out', async () => {
    const page = await openPage(app);
    await page.goto(`${client.url}/`);
    await program.begin?.(page, client);
    await signInAtPages(page, email);
    await page.waitForURL(`${client.url}/**`);
    const shown = program.show ? await program.show(page, client) : await shownAt(page, `${client.url}/`);
    expect(shown).toMatchObject(profile);

    const returned = page.waitForRequest((request) => request.url().startsWith(client.url + postLogoutPath));
    await (program.signOut ? program.signOut(page, client) : page.goto(`${client.url}/sign-out`));
    await returned;
    expect((await page.request.get(`${client.issuer}/v1/auth/me`)).status()).toBe(401);
  });
});

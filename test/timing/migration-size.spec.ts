import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { codeOf } from '../support/authenticator-app.js';
import { type TestBody, TestClient } from '../support/http-client.js';
import { outcomesIn } from '../support/imports.js';
import { at } from '../support/organizations.js';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import { PASSWORD } from '../support/sign-in.js';
import { SoftwarePasskey } from '../support/software-passkey.js';
import { sized } from '../support/test-size.js';

const LINES = sized(100, 2_000, 100_000);
/** The number of lines of a request, as `identity-service users import` sends them. */
const LINES_OF_REQUEST = 10_000;
const MAX_RSS_MB = 400;
const TIMEOUT_MS = 60 * 60_000;
const SAMPLES = join(import.meta.dirname, '../../examples/migration');
const BASE_URL = 'http://localhost:3000';
const TOTP_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The files of each system. The first has the users. */
const EXPORTS = {
  auth0: ['auth0-users.ndjson', 'auth0-passwords.ndjson'],
  'better-auth': ['better-auth-tables.json'],
  clerk: ['clerk-users.csv'],
  cognito: ['cognito-users.json'],
  firebase: ['firebase-users.json', 'firebase-parameters.txt'],
  keycloak: ['keycloak-realm.json'],
  okta: ['okta-users.json'],
  supabase: ['supabase-users.ndjson'],
  workos: ['workos-users.json'],
  zitadel: ['zitadel-export.json'],
} as const;
const WITH_TOTP: ReadonlySet<string> = new Set(['clerk', 'keycloak', 'supabase', 'zitadel']);
const WITHOUT_PASSWORDS: ReadonlySet<string> = new Set(['cognito', 'okta', 'workos']);

jest.setTimeout(TIMEOUT_MS);

/** Imports of many users from each system. Prints the rate and the memory of the service. */
describe('a large migration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'migration-'));
  let tested: TestService;
  let service: ServiceProcess;

  beforeAll(async () => {
    tested = await TestService.create({ BASE_URL });
    service = await tested.start();
  });
  afterAll(async () => {
    await tested?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const convert = (source: string, files: readonly string[]): string[] => {
    const command = ['convert.mjs', source, ...files];
    const { status, stdout } = spawnSync(process.execPath, command, { cwd: SAMPLES, encoding: 'utf8', maxBuffer: 2 ** 30 });
    expect(status).toBe(0);
    return stdout.trim().split('\n');
  };

  /** Writes an export with many copies of the users of the sample. Returns its files and the ending of the addresses of the last copy. */
  function enlarge(
    source: string,
    files: readonly string[],
    change: (text: string) => string,
  ): { files: string[]; domain: string } {
    const converted: TestBody[] = convert(source, files).map((line) => JSON.parse(line));
    const sample = converted.filter(({ email }) => email !== undefined);
    const copies = Math.ceil(LINES / sample.length);
    const domainOf = (copy: number): string => `@copy-${copy}.example.com`;
    const copyOf = (text: string, copy: number): string =>
      sample.reduce(
        (changed, { externalId, passkeys = [] }, user) => {
          const id: string = externalId.split('|').at(-1);
          const suffix = `${user}${String(copy).padStart(6, '0')}`;
          const unique = id.length > 12 ? id.slice(0, -suffix.length) + suffix : id + suffix;
          return passkeys.reduce(withOtherCredential(copy), changed.replaceAll(id, unique));
        },
        text.replaceAll('@example.com', domainOf(copy)),
      );
    const enlarged = files.map((name) => {
      const text = readFileSync(join(SAMPLES, name), 'utf8');
      const path = join(folder, name);
      const all = Array.from({ length: copies }, (_, copy) => copyOf(copy === copies - 1 ? change(text) : text, copy));
      writeFileSync(path, joined(name, text, all));
      return path;
    });
    return { files: enlarged, domain: domainOf(copies - 1) };
  }

  async function importAll(slug: string, lines: readonly string[]): Promise<{ created: number; peakMb: number }> {
    let [created, peakMb] = [0, 0];
    const watch = setInterval(() => (peakMb = Math.max(peakMb, service.memoryMb)), 500);
    try {
      for (let start = 0; start < lines.length; start += LINES_OF_REQUEST) {
        const body = lines.slice(start, start + LINES_OF_REQUEST).join('\n');
        const type = { 'content-type': 'application/x-ndjson' };
        const response = await tested.client.raw('POST', at(slug, '/users/import'), body, type).expect(200);
        const outcomes = outcomesIn(response.body);
        expect(outcomes.filter(({ status }) => status === 'failed')).toEqual([]);
        const { complete, summary } = outcomes.at(-1)!;
        expect([complete, summary!['failed']]).toEqual([true, 0]);
        created += summary!['created']!;
      }
    } finally {
      clearInterval(watch);
    }
    return { created, peakMb };
  }

  const anonymously = async (path: string, body: object): Promise<TestBody> =>
    (await new TestClient(tested.url).post(path, body).expect(200)).body.data;

  it.each(Object.entries(EXPORTS))(`imports ${LINES} users of %s, who sign in as before`, async (source, files) => {
    const slug = source;
    await tested.client.post('/v1/organizations', { name: source, slug }).expect(201);
    const device = new SoftwarePasskey(BASE_URL);
    const { files: enlarged, domain } = enlarge(source, files, (text) =>
      source === 'keycloak' ? withPasskeyOf(device, text) : text,
    );
    const convertedFrom = performance.now();
    const lines = convert(source, enlarged);
    const importedFrom = performance.now();
    const { created, peakMb } = await importAll(slug, lines);
    const rate = Math.round((created / (performance.now() - importedFrom)) * 1_000);
    const convertedMs = Math.round(importedFrom - convertedFrom);
    console.log(`${source}: ${created} users, converted in ${convertedMs} ms, ${rate} users/s, at most ${Math.round(peakMb)} MB`);
    expect(created).toBe(lines.length);
    expect(created).toBeGreaterThanOrEqual(LINES);
    expect(peakMb).toBeLessThan(MAX_RSS_MB);

    if (!WITHOUT_PASSWORDS.has(source)) {
      const credentials = { organization: slug, email: `ada.${source}${domain}`, password: PASSWORD };
      const { mfaRequired, challengeToken, sessionToken } = await anonymously('/v1/auth/login', credentials);
      expect(mfaRequired).toBe(WITH_TOTP.has(source));
      const proof = { challengeToken, method: 'totp', code: codeOf(TOTP_SECRET) };
      const signedIn = mfaRequired ? await anonymously('/v1/auth/mfa/verify', proof) : { sessionToken };
      expect(signedIn.sessionToken).toEqual(expect.any(String));
    }
    if (source === 'keycloak') {
      const { publicKey } = await anonymously('/v1/auth/passkey/options', { organization: slug });
      const credential = device.assertion(publicKey.challenge);
      // The passkey returns the user handle of the previous system.
      Object.assign(credential.response, { userHandle: Buffer.from('previous').toString('base64url') });
      const signedIn = await anonymously('/v1/auth/passkey', { organization: slug, credential });
      expect(signedIn.user.email).toBe(`mallory.keycloak${domain}`);
    }
  });
});

/** Joins the copies of a file: lines, a table with one head, or the arrays of a document. Returns other files as they are. */
function joined(name: string, text: string, copies: readonly string[]): string {
  if (name.endsWith('.ndjson')) return copies.map((copy) => copy.trim()).join('\n');
  const [head = ''] = text.split('\n', 1);
  if (name.endsWith('.csv')) return [head, ...copies.map((copy) => copy.slice(copy.indexOf('\n') + 1).trim())].join('\n');
  if (!name.endsWith('.json')) return text;
  const [first, ...others] = copies.map((copy) => JSON.parse(copy) as unknown);
  for (const other of others) append(first, other);
  return JSON.stringify(first);
}

/** Appends the items of the outermost arrays of a document to those of another one. */
function append(target: unknown, source: unknown): void {
  if (Array.isArray(target)) target.push(...(source as unknown[]));
  else if (typeof target === 'object' && target !== null)
    for (const [key, value] of Object.entries(target))
      // The users of all copies are members of one organization.
      if (key !== 'organization') append(value, (source as Record<string, unknown>)[key]);
}

/** Replaces a credential ID, in both alphabets of Base64. */
const withOtherCredential =
  (copy: number) =>
  (text: string, { credentialId }: TestBody): string => {
    const id = Buffer.from(credentialId, 'base64url');
    const other = createHash('sha512').update(id).update(String(copy)).digest().subarray(0, id.length);
    return text
      .replaceAll(id.toString('base64url'), other.toString('base64url'))
      .replaceAll(id.toString('base64'), other.toString('base64'));
  };

/** Gives the user with a passkey in the sample of Keycloak the passkey of a device, and enables the user. */
function withPasskeyOf(device: SoftwarePasskey, text: string): string {
  const realm = JSON.parse(text);
  const user = realm.users.find(({ email }: TestBody) => email.startsWith('mallory'));
  user.enabled = true;
  const credential = user.credentials[0];
  const data = JSON.parse(credential.credentialData);
  data.credentialId = Buffer.from(device.credentialId, 'base64url').toString('base64');
  data.credentialPublicKey = device.publicKey.toString('base64');
  data.counter = 0;
  credential.credentialData = JSON.stringify(data);
  return JSON.stringify(realm);
}

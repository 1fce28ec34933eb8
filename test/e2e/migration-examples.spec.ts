import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { newOrganization, read } from '../support/organizations.js';
import { login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/migration');
/** The source, its files, the number of converted users, and the skipped users. */
const EXPORTS = [
  ['auth0', ['auth0-users.ndjson', 'auth0-passwords.ndjson'], 2, /^Left out: auth0\|5dea9f9c82dd7c0e76e4ec94, blocked\n$/],
  ['clerk', ['clerk-users.csv'], 2, /^$/],
  ['keycloak', ['keycloak-realm.json'], 2, /^Left out: 2f6c1d0e-7a53-4f0c-9a51-0c8f5b1f6a03, disabled\n$/],
  ['workos', ['workos-users.json'], 2, /^$/],
] as const;

describe('the export conversion example', () => {
  const app = testApp();

  const convert = (...parameters: string[]) =>
    spawnSync(process.execPath, ['convert.mjs', ...parameters], { cwd: EXAMPLES, encoding: 'utf8' });

  async function importInto(organization: TestBody, lines: string): Promise<TestBody> {
    const headers = { authorization: `Bearer ${app.platformKey}`, 'content-type': 'application/x-ndjson' };
    const url = `${app.url}/v1/organizations/${organization.id}/users/import`;
    const response = await fetch(url, { method: 'POST', headers, body: lines });
    expect(response.status).toBe(200);
    return JSON.parse((await response.text()).trim().split('\n').at(-1)!);
  }

  it.each(EXPORTS)('converts an export of %s and lists the skipped users', async (source, files, count, leftOut) => {
    const { status, stdout, stderr } = convert(source, ...files);
    expect(status).toBe(0);
    expect(stderr).toMatch(leftOut);
    const organization = await newOrganization(app);
    const first = await importInto(organization, stdout);
    expect(first).toMatchObject({ complete: true, summary: { lines: count, created: count, failed: 0 } });
    expect(await importInto(organization, stdout)).toMatchObject({ complete: true, summary: { unchanged: count } });

    const users: TestBody[] = await read(app, `/v1/organizations/${organization.id}/users`);
    const ada = users.find(({ email }) => email === `ada.${source}@example.com`)!;
    expect(ada).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', emailVerified: true, externalId: expect.any(String) });
    for (const { email, status } of users)
      if (source === 'workos') expect([email, status]).toEqual([email, 'pending']);
      else {
        await login(app, organization.slug, email, `${PASSWORD}!`).expect(401);
        const { body } = await login(app, organization.slug, email).expect(200);
        expect(body.data.sessionToken).toEqual(expect.any(String));
      }
  });

  it('prints the usage', () => {
    const { status, stderr } = convert('okta', 'users.json');
    expect([status, stderr]).toEqual([1, 'Usage: convert.mjs <auth0|clerk|keycloak|workos> <file>\n']);
  });
});

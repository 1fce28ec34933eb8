import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import type { TestBody } from '../support/http-client.js';
import { pythonPrograms } from '../support/python-programs.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { testServer } from '../support/test-server.js';

const INSTALL_TIMEOUT_MS = 300_000;

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';

jest.setTimeout(INSTALL_TIMEOUT_MS);

describe('SCIM tools of other people', () => {
  const app = testServer(async () => {
    const port = await findFreePort();
    return startApp({ port, baseUrl: `http://127.0.0.1:${port}` });
  });
  let scim: ScimClient;
  let programs: string;

  beforeAll(async () => {
    programs = await pythonPrograms('scim', join(import.meta.dirname, 'requirements.txt'));
    ({ scim } = await startScim(app, 'Acme'));
  });

  const run = async (program: string, parameters: readonly string[]): Promise<{ stdout: string; stderr: string }> => {
    const child = spawn(join(programs, program), parameters);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr };
  };

  it('find no deviation: all checkers of scim2-tester', async () => {
    const { stdout, stderr } = await run('python', [join(import.meta.dirname, 'check_server.py'), scim.base, scim.token]);
    expect(stderr).toBe('');
    const results = JSON.parse(stdout) as TestBody[];
    expect(results.filter(({ status }) => !['SUCCESS', 'COMPLIANT', 'ACCEPTABLE'].includes(status))).toEqual([]);
    expect(results.length).toBeGreaterThan(100);
  });

  it('find no deviation except the check of members: scim-sanity with its profile for Entra ID', async () => {
    const options = '--profile entra --user-domain example.com --strict --json-output --i-accept-side-effects'.split(' ');
    const { stdout } = await run('scim-sanity', ['probe', scim.base, '--token', scim.token, ...options]);
    const results = JSON.parse(stdout).results as TestBody[];
    // The service has no resources for agents, which are a draft.
    const others = results.filter(({ status, name }) => status !== 'pass' && !name.startsWith('Agent'));
    // Adds the member "fake-member-id". Entra ID rejects members who don't exist, too: deviation 9 of the profile.
    expect(others).toEqual([
      expect.objectContaining({ name: 'PATCH /Groups/{id} add member', message: 'Expected 200, got 400' }),
    ]);
    expect(results.length).toBeGreaterThan(25);
  });

  it('find no deviation: the requests and assertions of "Okta SCIM 2.0 SPEC Test", which Okta publishes', async () => {
    const own = await startScim(app, 'Okta');
    const name = { givenName: 'Ada', familyName: 'Lovelace' };
    await own.scim.post('/Users', { userName: 'ada@example.com', name, emails: [{ value: 'ada@example.com' }] }).expect(201);
    const client = app.api.as(own.scim.token);
    const at = (path: string) => `/scim/v2/${own.scim.connectionId}${path}`;
    const type = 'application/scim+json';
    const headers = { accept: type, 'accept-charset': 'utf-8', 'content-type': `${type}; charset=utf-8` };
    const get = (path: string) => client.get(at(path), { headers: { ...headers, 'user-agent': 'OKTA SCIM Integration' } });
    const named = (userName: string) => get(`/Users?filter=userName eq "${userName}"`).expect(200);
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
    const error = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], detail: expect.stringMatching(/./) };
    const shown = {
      id: expect.any(String),
      userName: 'ada@example.com',
      active: true,
      name,
      emails: [{ value: 'ada@example.com' }],
    };

    const { body: users } = await get('/Users?count=1&startIndex=1').expect(200);
    expect(users).toMatchObject({ schemas, itemsPerPage: 1, startIndex: 1, totalResults: 1, Resources: [shown] });
    const { id } = users.Resources[0];
    expect((await get(`/Users/${id}`).expect(200)).body).toMatchObject({ ...shown, id });
    for (const unknown of ['nobody@example.com', 'grace.hopper@example.com'])
      expect((await named(unknown)).body).toMatchObject({ schemas, totalResults: 0 });
    for (const unknown of ['usr_00000000000000000000000000', '00919288221112222'])
      expect((await get(`/Users/${unknown}`).expect(404)).body).toMatchObject({ ...error, status: '404' });

    // Okta sends a user with the content type of JSON, not of SCIM.
    const userName = 'grace.hopper@example.com';
    const user = { schemas: [USER_SCHEMA], userName, name: { givenName: 'Grace', familyName: 'Hopper' }, active: true };
    const body = { ...user, displayName: 'Grace Hopper', emails: [{ primary: true, value: userName, type: 'work' }] };
    const create = () => client.post(at('/Users'), body, { headers: { accept: headers['content-type'] } });
    const { body: created } = await create().expect(201);
    expect(created).toMatchObject({ ...user, id: expect.any(String) });
    expect((await get(`/Users/${created.id}`).expect(200)).body).toMatchObject({ userName, name: user.name });
    await create().expect(409);
    await named(userName.toUpperCase());
    await get('/Groups').expect(200);
    const path = at(`/Users?filter=userName eq "${userName}"`);
    const unauthorized = await app.api.anonymous.get(path, { headers: { accept: type, authorization: 'non-token' } }).expect(401);
    expect(unauthorized.body).toMatchObject({ ...error, status: '401' });
  });
});

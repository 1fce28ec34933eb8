import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { describeScim } from '../../apps/server/src/openapi/openapi.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { testApp } from '../support/test-app.js';

const ROOT = join(import.meta.dirname, '../..');
const document = await describeScim();

describe('the OpenAPI document of SCIM', () => {
  const app = testApp();
  let scim: ScimClient;

  beforeAll(async () => {
    ({ scim } = await startScim(app, 'Documented'));
  });

  it('equals the committed openapi-scim.json, and is served', async () => {
    const committed = JSON.parse(readFileSync(join(ROOT, 'openapi-scim.json'), 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(document)));
    const { body } = await app.api.anonymous.get('/openapi-scim.json').expect(200);
    expect(Object.keys(body.paths)).toEqual(Object.keys(committed.paths));
    expect((await app.api.anonymous.get('/openapi.json').expect(200)).body.paths).not.toHaveProperty(
      '/scim/v2/{connection}/Users',
    );
  });

  it('describes the resources and errors', async () => {
    const schemas = new ResponseSchemas(document as never);
    const problems = (name: string, body: unknown) => schemas.problems(name, { $ref: `#/components/schemas/${name}` }, body);
    const user = (await scim.post('/Users', { userName: 'jane@example.com', title: 'x' }).expect(201)).body;
    const group = (await scim.post('/Groups', { displayName: 'G', members: [{ value: user.id }] }).expect(201)).body;
    expect(problems('User', user)).toEqual([]);
    expect(problems('Group', group)).toEqual([]);
    expect(problems('UserList', (await scim.get('/Users').expect(200)).body)).toEqual([]);
    expect(problems('Error', (await scim.get('/Users/unknown').expect(404)).body)).toEqual([]);
  });
});

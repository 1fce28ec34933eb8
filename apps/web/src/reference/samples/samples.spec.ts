import { expect, it } from '@jest/globals';
import openapi from '../../../../../openapi.json' with { type: 'json' };
import { type ApiDocument, operationsOf } from '../document';
import { samplesOf } from './samples';

const document = openapi as unknown as ApiDocument;
const operations = operationsOf(document);

/** Returns the line of each sample that calls the operation. */
function callsOf(id: string): (string | undefined)[] {
  const samples = samplesOf(
    document,
    operations.find(({ operationId }) => operationId === id)!,
  );
  return samples.map(({ code }) =>
    code.split('\n').find((line) => /identity\.[a-z_]+[A-Za-z]*\(|client\.[A-Z]|^curl/.test(line) && !/Client\(/.test(line)),
  );
}

it.each([
  [
    'createUser',
    "curl -X POST 'http://localhost:3000/v1/organizations/acme/users' \\",
    "const result = await identity.createUser({ org: 'acme', body: { email: 'jane.doe@example.com' } });",
    'result = identity.create_user("acme", email="jane.doe@example.com")',
    'result, err := client.CreateUser(ctx, "acme", body)',
  ],
  [
    'listEvents',
    "curl 'http://localhost:3000/v1/organizations/acme/events' \\",
    "for await (const item of identity.listEvents({ org: 'acme' })) console.log(item);",
    'for item in identity.list_events("acme"):',
    'for item, err := range client.ListEvents(ctx, "acme", nil).All() {',
  ],
  [
    'getMyPermissions',
    "curl 'http://localhost:3000/v1/auth/me/permissions?organization=acme' \\",
    "const result = await identity.getMyPermissions({ organization: 'acme' });",
    'result = identity.get_my_permissions(organization="acme")',
    'result, err := client.GetMyPermissions(ctx, &identity.GetMyPermissionsParams{Organization: "acme"})',
  ],
  ['requestToken', "curl -X POST 'http://localhost:3000/oauth/token' \\"],
])('shows how to call %s with curl, TypeScript, Python and Go', (id, ...calls) => {
  expect(callsOf(id)).toEqual(calls);
});

it('has values for all path parameters of every operation', () => {
  const codes = operations.flatMap((operation) => samplesOf(document, operation).map(({ code }) => code));
  expect(operations.length).toBeGreaterThan(250);
  expect(codes.filter((code) => /undefined|\[object|\/\{/.test(code))).toEqual([]);
});

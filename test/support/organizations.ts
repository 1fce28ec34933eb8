import type { TestApp } from './app.js';
import { type TestBody, TestClient } from './http-client.js';

let counter = 0;

const clientOf = (caller: TestApp | TestClient): TestClient => (caller instanceof TestClient ? caller : caller.api.platform);

/** Creates a resource, by default with a platform key, and returns the resource. `path` is the path of the collection. */
export async function made(by: TestApp | TestClient, path: string, body: object): Promise<TestBody> {
  return (await clientOf(by).post(path, body).expect(201)).body.data;
}

/** Reads a resource, by default with a platform key. */
export async function read(by: TestApp | TestClient, path: string): Promise<TestBody> {
  return (await clientOf(by).get(path).expect(200)).body.data;
}

/** Returns a client with a new API key of an organization. */
export async function keyClient(app: TestApp, organization: string, scopes: readonly string[]): Promise<TestClient> {
  return app.api.as((await made(app, at(organization, '/api-keys'), { name: 'k', scopes })).key);
}

/** Returns a path in an organization. */
export const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}${rest}`;

export const newOrganization = (app: TestApp, fields: object = {}): Promise<TestBody> =>
  made(app, '/v1/organizations', { name: `Organization ${++counter}`, ...fields });

/** Creates a pending user with a new address. */
export const newUser = (app: TestApp, organization: string, fields: object = {}): Promise<TestBody> =>
  made(app, at(organization, '/users'), { email: newAddress(), ...fields });

/** Asks whether a user has a permission in an organization. */
export const checkPermission = async (app: TestApp, where: string, userId: string, permission: string): Promise<TestBody> =>
  (await app.api.platform.post(at(where, '/permissions/check'), { userId, permission }).expect(200)).body.data;

export const newAddress = (): string => `person-${++counter}@example.com`;

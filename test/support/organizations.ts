import type { TestApp } from './app.js';
import type { TestBody, TestClient } from './http-client.js';

let counter = 0;

/** Creates a resource with a platform key and returns the resource. `path` is the path of the collection. */
export async function made(app: TestApp, path: string, body: object): Promise<TestBody> {
  return (await app.api.platform.post(path, body).expect(201)).body.data;
}

/** Reads a resource with a platform key. */
export async function read(app: TestApp, path: string): Promise<TestBody> {
  return (await app.api.platform.get(path).expect(200)).body.data;
}

/** Returns a client with a new API key of an organization. */
export async function keyClient(app: TestApp, organization: string, scopes: readonly string[]): Promise<TestClient> {
  return app.api.as((await made(app, at(organization, '/api-keys'), { name: 'k', scopes })).key);
}

/** Returns a path in an organization. */
export const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}${rest}`;

export const newOrganization = (app: TestApp, fields: object = {}): Promise<TestBody> =>
  made(app, '/v1/organizations', { name: `Organization ${++counter}`, ...fields });

export const newAddress = (): string => `person-${++counter}@example.com`;

import type { TestApp } from './app.js';
import type { TestBody } from './http-client.js';

let counter = 0;

/** Creates a resource with a platform key and returns the resource. `path` is the path of the collection. */
export async function made(app: TestApp, path: string, body: object): Promise<TestBody> {
  return (await app.api.platform.post(path, body).expect(201)).body.data;
}

export const newOrganization = (app: TestApp, fields: object = {}): Promise<TestBody> =>
  made(app, '/v1/organizations', { name: `Organization ${++counter}`, ...fields });

export const newAddress = (): string => `person-${++counter}@example.com`;

import type { TestApp } from './app.js';
import type { TestBody } from './http-client.js';

let counter = 0;

/** What the platform makes by a POST. */
export async function made(app: TestApp, path: string, body: object): Promise<TestBody> {
  return (await app.api.platform.post(path, body).expect(201)).body.data;
}

/** An organization with a name that no other has, if none is given. */
export const newOrganization = (app: TestApp, fields: object = {}): Promise<TestBody> =>
  made(app, '/v1/organizations', { name: `Organization ${++counter}`, ...fields });

/** An address that nobody else has. */
export const newAddress = (): string => `person-${++counter}@example.com`;

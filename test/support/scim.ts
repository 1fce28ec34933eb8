import type { TestApp } from './app.js';
import { type RequestOptions, type TestBody, TestClient } from './http-client.js';

/** A client of a SCIM connection, with the paths of the connection. */
export class ScimClient {
  readonly base: string;
  private readonly client: TestClient;
  private readonly path: string;

  constructor(
    app: TestApp,
    readonly connectionId: string,
    readonly token: string,
  ) {
    this.path = `/scim/v2/${connectionId}`;
    this.base = `${app.config.baseUrl}${this.path}`;
    this.client = new TestClient(app.url, token);
  }

  get(path: string, query: Record<string, string | number> = {}, options?: RequestOptions) {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return this.client.get(`${this.path}${path}${search === '' ? '' : `?${search}`}`, options);
  }

  post(path: string, body: unknown) {
    return this.client.post(this.path + path, body);
  }

  /** Creates a resource and returns the resource. */
  async create(path: string, body: object): Promise<TestBody> {
    return (await this.post(path, body).expect(201)).body;
  }

  /** Returns a resource or a list. */
  async read(path: string, query?: Record<string, string | number>): Promise<TestBody> {
    return (await this.get(path, query).expect(200)).body;
  }

  /** Returns the IDs of the resources that a filter finds. */
  async find(path: string, filter: string): Promise<string[]> {
    return (await this.read(path, { filter })).Resources.map(({ id }: TestBody) => id);
  }

  put(path: string, body: unknown) {
    return this.client.put(this.path + path, body);
  }

  patch(path: string, body: unknown, options?: RequestOptions) {
    return this.client.patch(this.path + path, body, options);
  }

  delete(path: string, options?: RequestOptions) {
    return this.client.delete(this.path + path, undefined, options);
  }
}

/** The body of a PATCH request. */
export const patch = (...Operations: unknown[]): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

export const setActive = (value: boolean): object => patch({ op: 'replace', path: 'active', value });

/** Operations of a bulk request that creates users. */
export const creations = (userNames: readonly string[]): object[] =>
  userNames.map((userName, index) => ({ method: 'POST', path: '/Users', bulkId: `u${index}`, data: { userName } }));

interface ConnectionSettings {
  adoptExistingUsers?: boolean;
  allowLocalChanges?: boolean;
  mode?: 'active' | 'preview';
  maxRemovals?: number | null;
  maxRemovalPercent?: number | null;
}

/** Creates an organization with a SCIM connection and a token. `path` is the path of the connection in the API. */
export async function startScim(
  app: TestApp,
  name: string,
  { parentId, ...settings }: ConnectionSettings & { parentId?: string } = {},
): Promise<{ org: string; scim: ScimClient; path: string }> {
  const { platform } = app.api;
  const org = (await platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id as string;
  const scim = await connectScim(app, org, settings);
  return { org, scim, path: `/v1/organizations/${org}/scim-connections/${scim.connectionId}` };
}

/** Creates a SCIM connection of an organization with a token. */
export async function connectScim(app: TestApp, org: string, settings: ConnectionSettings = {}): Promise<ScimClient> {
  const { platform } = app.api;
  const connections = `/v1/organizations/${org}/scim-connections`;
  const { id } = (await platform.post(connections, { name: 'Directory', ...settings }).expect(201)).body.data;
  const { token } = (await platform.post(`${connections}/${id}/tokens`, { name: 'Test' }).expect(201)).body.data;
  return new ScimClient(app, id, token);
}

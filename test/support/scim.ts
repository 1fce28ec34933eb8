import type { TestApp } from './app.js';
import { type RequestOptions, TestClient } from './http-client.js';

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

interface ConnectionSettings {
  adoptExistingUsers?: boolean;
  allowLocalChanges?: boolean;
  mode?: 'active' | 'preview';
  maxRemovals?: number | null;
  maxRemovalPercent?: number | null;
}

/** Creates an organization with a SCIM connection and a token. */
export async function startScim(
  app: TestApp,
  name: string,
  { parentId, ...settings }: ConnectionSettings & { parentId?: string } = {},
): Promise<{ org: string; scim: ScimClient }> {
  const { platform } = app.api;
  const org = (await platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id as string;
  return { org, scim: await connectScim(app, org, settings) };
}

/** Creates a SCIM connection of an organization with a token. */
export async function connectScim(app: TestApp, org: string, settings: ConnectionSettings = {}): Promise<ScimClient> {
  const { platform } = app.api;
  const connections = `/v1/organizations/${org}/scim-connections`;
  const { id } = (await platform.post(connections, { name: 'Directory', ...settings }).expect(201)).body.data;
  const { token } = (await platform.post(`${connections}/${id}/tokens`, { name: 'Test' }).expect(201)).body.data;
  return new ScimClient(app, id, token);
}

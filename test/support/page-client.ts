import type { TestApp } from './app.js';
import { type RequestOptions, TestClient, type TestResponse } from './http-client.js';

/** Calls the API with the cookies of a browser and without a token. */
export class PageClient {
  private readonly jar = new Map<string, string>();
  private readonly client: TestClient;

  constructor(app: TestApp) {
    const ownHeaders = () => ({ 'sec-fetch-site': 'same-origin', ...(this.jar.size > 0 && { cookie: this.cookies }) });
    this.client = new TestClient(app.url, undefined, ownHeaders);
  }

  readonly get = (path: string, options?: RequestOptions) => this.kept(this.client.get(path, options));
  readonly post = (path: string, body: unknown = {}, options?: RequestOptions) =>
    this.kept(this.client.post(path, body, options));
  readonly patch = (path: string, body: unknown, options?: RequestOptions) => this.kept(this.client.patch(path, body, options));
  readonly delete = (path: string, options?: RequestOptions) => this.kept(this.client.delete(path, undefined, options));

  get cookies(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  set cookies(pairs: string) {
    this.jar.clear();
    for (const pair of pairs.split('; ').filter(Boolean)) this.keep(pair);
  }

  private async kept(request: Promise<TestResponse>): Promise<TestResponse> {
    const response = await request;
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.jar.delete(name);
    else this.jar.set(name, value);
  }
}

/** Request options for a sign-in with a session cookie. */
export const SESSION_IN_COOKIE: RequestOptions = { headers: { 'session-transport': 'cookie' } };

/** Signs a user in with a password and returns the client. */
export async function signedInPage(app: TestApp, organization: string, email: string, password: string): Promise<PageClient> {
  const page = new PageClient(app);
  const { status, body } = await page.post('/v1/auth/login', { organization, email, password }, SESSION_IN_COOKIE);
  if (status !== 200) throw new Error(`The sign-in responded with ${status}: ${JSON.stringify(body)}`);
  return page;
}

import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenHttp } from './local-receiver.js';
import { CLIENT_ID, CLIENT_SECRET } from './scripted-identity-provider.js';

/** The account that is signed in at GitHub. */
export interface GithubAccount {
  id: unknown;
  /** Can be renamed, and then belong to another account. */
  login: string;
  name?: string | null;
  emails: unknown;
}

export interface GithubServer {
  /** The address of the server, as of GitHub Enterprise Server. */
  address: string;
  account: GithubAccount;
  /** The registered callback URL. */
  callback: string;
  /** Changes the parameters of the redirect to the service. */
  redirect?: ((parameters: URLSearchParams) => void) | undefined;
  /** Sends a custom response. Returns false if the server must respond. */
  handle?: ((path: string, response: ServerResponse) => boolean) | undefined;
  requests: string[];
  stop(): Promise<void>;
}

interface Grant {
  challenge: string;
  redirectUri: string;
  scope: string;
}

/** Starts a server with the OAuth 2.0 and the REST API of GitHub Enterprise Server on 127.0.0.1, as docs.github.com describes them. */
export async function startGithubServer(): Promise<GithubServer> {
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, { scope: string; account: GithubAccount }>();
  const listener = await listenHttp((request, response) => void serve(request, response));
  const address = `http://127.0.0.1:${listener.port}`;
  const server: GithubServer = {
    address,
    account: { id: 1, login: 'nobody', emails: [] },
    callback: '',
    requests: [],
    stop: () => listener.close(),
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', address);
    server.requests.push(url.pathname);
    if (server.handle?.(url.pathname, response)) return;
    if (url.pathname === '/login/oauth/authorize') return authorize(url.searchParams, response);
    if (url.pathname === '/login/oauth/access_token' && request.method === 'POST')
      return token(new URLSearchParams(await text(request)), request.headers.accept, response);
    if (url.pathname.startsWith('/api/v3/')) return api(url.pathname, request, response);
    json(response, 404, { message: 'Not Found' });
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const of = (name: string): string => asked.get(name) ?? '';
    if (of('client_id') !== CLIENT_ID) return json(response, 404, { error: 'Not Found' });
    const parameters = new URLSearchParams({ state: of('state') });
    const redirectUri = of('redirect_uri');
    const isRegistered = redirectUri === server.callback || redirectUri.startsWith(`${server.callback}/`);
    if (isRegistered) {
      const code = randomUUID();
      grants.set(code, { challenge: of('code_challenge'), redirectUri, scope: of('scope') });
      parameters.set('code', code);
    } else parameters.set('error', 'redirect_uri_mismatch');
    server.redirect?.(parameters);
    response.writeHead(302, { location: `${isRegistered ? redirectUri : server.callback}?${parameters}` }).end();
  }

  /** Responds with the status 200, also to errors. */
  function token(asked: URLSearchParams, accept: string | undefined, response: ServerResponse): void {
    const grant = grants.get(asked.get('code') ?? '');
    grants.delete(asked.get('code') ?? '');
    const verifier = createHash('sha256').update(asked.get('code_verifier') ?? '');
    const isCode = grant?.challenge === verifier.digest('base64url') && grant.redirectUri === asked.get('redirect_uri');
    let body: Record<string, string> = { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' };
    if (asked.get('client_id') !== CLIENT_ID || asked.get('client_secret') !== CLIENT_SECRET)
      body = { error: 'incorrect_client_credentials', error_description: 'The client_id and/or client_secret are incorrect.' };
    else if (isCode) {
      const issued = `gho_${randomUUID()}`;
      tokens.set(issued, { scope: grant.scope, account: server.account });
      body = { access_token: issued, scope: grant.scope.replaceAll(' ', ','), token_type: 'bearer' };
    }
    if (accept?.includes('application/json')) return json(response, 200, body);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    response.writeHead(200, type).end(new URLSearchParams(body).toString());
  }

  function api(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const granted = tokens.get((headers.authorization ?? '').replace('Bearer ', ''));
    if (!headers['user-agent']) return json(response, 403, { message: 'Request forbidden by administrative rules.' });
    if (!granted) return json(response, 401, { message: 'Bad credentials' });
    const { emails, ...user } = granted.account;
    if (path === '/api/v3/user') return json(response, 200, { ...user, type: 'User', email: 'public@profile.example' });
    const isAllowed = path === '/api/v3/user/emails' && granted.scope.split(' ').includes('user:email');
    json(response, isAllowed ? 200 : 404, isAllowed ? emails : { message: 'Not Found' });
  }

  return server;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

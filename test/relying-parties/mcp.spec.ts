import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { TestApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import { type Listener, listenHttps, selfSignedCertificate } from '../support/local-receiver.js';
import { CALLBACK, StartedRequest, startIssuer, TOKEN_EXCHANGE } from '../support/oauth-application.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { printVersion } from './programs.js';

const SERVER = join(import.meta.dirname, '../../examples/mcp-server.mjs');
const SCOPES = ['organizations:read', 'members:read'];
const METADATA = {
  client_name: 'Assistant',
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

let app: TestApp;
let acme: string;
let team: string;
let ada: SignedIn;
let documents: Listener;
let documentUrl: string;
const servers: { url: string; process: ChildProcess }[] = [];
const { createSecureContext } = tls;

/** Starts the sample server as a resource of the organization. */
async function startServer(): Promise<string> {
  const url = `http://127.0.0.1:${await findFreePort()}/mcp`;
  await made(app, at(acme, '/oauth-resources'), {
    identifier: url,
    name: 'Directory tools',
    scopes: SCOPES.map((name) => ({ name })),
  });
  const resources = [{ identifier: app.config.baseUrl, scopes: SCOPES }];
  const client = { name: 'MCP server', type: 'machine', grantTypes: [TOKEN_EXCHANGE], audiences: [url], resources };
  const { id, secret } = await made(app, at(acme, '/oauth-clients'), client);
  const env = { ...process.env, IDENTITY_URL: app.config.baseUrl, MCP_URL: url, CLIENT_ID: id, CLIENT_SECRET: secret };
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  servers.push({ url, process: child });
  return url;
}

beforeAll(async () => {
  const { version } = JSON.parse(
    readFileSync(
      join(fileURLToPath(import.meta.resolve('@modelcontextprotocol/sdk/client/index.js')), '../../../../package.json'),
      'utf8',
    ),
  );
  printVersion(`@modelcontextprotocol/sdk ${version}`);
  app = await startIssuer();
  acme = (await newOrganization(app, { name: 'Acme' })).id;
  team = (await newOrganization(app, { name: 'Team', parentId: acme })).id;
  ada = await signedIn(app, team, { roles: ['member'] });
  const certificate = selfSignedCertificate('client.localhost');
  // The service trusts the certificate of the document, as NODE_EXTRA_CA_CERTS would.
  tls.createSecureContext = (options = {}) =>
    createSecureContext({ ...options, ca: options.ca ?? [...tls.rootCertificates, certificate.cert] });
  documents = await listenHttps(certificate, (request, response) => {
    const client_id = `https://client.localhost:${documents.port}${request.url}`;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...METADATA, client_id }));
  });
  documentUrl = `https://client.localhost:${documents.port}/mcp-client.json`;
  await startServer();
  await startServer();
});

afterAll(async () => {
  tls.createSecureContext = createSecureContext;
  for (const { process: child } of servers) child.kill();
  await documents?.close();
  await app?.close();
});

/** Keeps what the client of the SDK needs between the steps of the authorization. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = METADATA;
  authorizationUrl?: URL;
  private held?: OAuthTokens;
  private verifier = '';

  constructor(
    readonly clientMetadataUrl: string | undefined,
    private client: OAuthClientInformationMixed | undefined,
  ) {}

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed): void => void (this.client = client);
  tokens = () => this.held;
  saveTokens = (tokens: OAuthTokens): void => void (this.held = tokens);
  redirectToAuthorization = (url: URL): void => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
}

/** Connects the client of the SDK to a server. The person allows the access in a browser. */
async function connect(provider: Memory, url: string): Promise<Client> {
  const client = () => new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  await expect(client().connect(transport)).rejects.toThrow('Unauthorized');
  const { pathname, search } = provider.authorizationUrl!;
  const browser = new PageClient(app);
  browser.cookies = `${app.config.serviceName}-session=${ada.token}`;
  const request = new StartedRequest(app, browser, pathname + search, { verifier: '', state: '', nonce: '' });
  await transport.finishAuth((await request.finish()).searchParams.get('code')!);
  const connected = client();
  await connected.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: provider }));
  return connected;
}

const preRegistered = async (): Promise<Memory> => {
  const resources = servers.map(({ url }) => ({ identifier: url, scopes: SCOPES }));
  const { id } = await made(app, at(acme, '/oauth-clients'), {
    name: 'Assistant',
    type: 'single_page',
    redirectUris: [CALLBACK],
    resources,
  });
  return new Memory(undefined, { client_id: id });
};

const allow = (settings: object) => app.api.platform.patch(at(acme), { settings }).expect(200);

describe('the MCP client of the official SDK', () => {
  it.each([
    [
      'a metadata document',
      async () => (await allow({ clientIdMetadataDomains: ['client.localhost'] }), new Memory(documentUrl, undefined)),
    ],
    [
      'a registration',
      async () => (
        await allow({ clientIdMetadataDomains: [], dynamicClientRegistration: true }),
        new Memory(undefined, undefined)
      ),
    ],
    ['a client that an administrator created', preRegistered],
  ])('uses the tools of the sample server with %s, within the permissions of the person', async (_name, provider) => {
    const client = await connect(await provider(), servers[0]!.url);
    const call = async (name: string, values: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: values });
      return { isError: isError === true, value: JSON.parse((content as { text: string }[])[0]!.text) as unknown };
    };
    expect(await call('list_organizations')).toEqual({ isError: false, value: [{ id: team, name: 'Team' }] });
    expect(JSON.stringify(await call('list_members', { organizationId: team }))).toContain(ada.email);
    expect((await call('list_members', { organizationId: acme })).isError).toBe(true);
    await client.close();
  });

  it('gets no access to a second server with the token of the first', async () => {
    const provider = await preRegistered();
    await (await connect(provider, servers[0]!.url)).close();
    const headers = { authorization: `Bearer ${provider.tokens()!.access_token}`, 'content-type': 'application/json' };
    const statuses = servers.map(async ({ url }) => (await fetch(url, { method: 'POST', headers, body: '{}' })).status);
    const [own, other] = await Promise.all(statuses);
    expect(own).not.toBe(401);
    expect(other).toBe(401);
  });
});

// An MCP server that lists organizations and members, for people who sign in with the identity service (docs/guides/mcp.md).
//   npm install @modelcontextprotocol/sdk express jose zod
//   CLIENT_ID=app_… CLIENT_SECRET=… node examples/mcp-server.mjs
// The service knows MCP_URL as a resource with the scopes organizations:read and members:read. The client of this server is a machine client
// with the scopes organizations:read, members:read and roles:read of the API of the identity service.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';

const {
  IDENTITY_URL: identityUrl = 'http://localhost:3000',
  MCP_URL: mcpUrl = 'http://localhost:4002/mcp',
  CLIENT_ID: clientId,
  CLIENT_SECRET: clientSecret,
} = process.env;

const SCOPES = ['organizations:read', 'members:read'];
const { port, pathname, origin } = new URL(mcpUrl);
const METADATA_PATH = `/.well-known/oauth-protected-resource${pathname}`;
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', identityUrl));

/** Returns the claims of a token for this server. A token for another server, also of the same service, is rejected by its audience. */
async function claimsOf(request) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const options = { issuer: identityUrl, audience: mcpUrl, algorithms: ['ES256'], typ: 'at+jwt' };
  return jwtVerify(token, keys, options).then(
    ({ payload }) => payload,
    () => undefined,
  );
}

let machineToken;

/** Calls the API as this server. The token of the caller is for this server only, so it is never passed on. */
async function call(path, body) {
  if (!machineToken || machineToken.expiresAtMs < Date.now()) {
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(`${identityUrl}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        resource: identityUrl,
        scope: [...SCOPES, 'roles:read'].join(' '),
      }),
    });
    const { access_token: text, expires_in: seconds, error } = await response.json();
    if (error) throw new Error(`The server gets no token: ${error}`);
    machineToken = { text, expiresAtMs: Date.now() + (seconds - 30) * 1_000 };
  }
  const response = await fetch(`${identityUrl}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${machineToken.text}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  return (await response.json()).data;
}

/** Whether the person allowed the scope, and has the permission in an organization now. */
async function canRead({ sub: userId, scope }, permission, organizationId) {
  if (!scope.split(' ').includes(permission)) return false;
  return (await call(`organizations/${organizationId}/permissions/check`, { userId, permission })).allowed;
}

const textOf = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

function serverFor(claims) {
  const server = new McpServer({ name: 'identity', version: '1.0.0' });
  server.registerTool('list_organizations', { description: 'Lists the organizations that you can view.' }, async () => {
    const visible = [];
    for (const { id, name } of await call('organizations?limit=100'))
      if (await canRead(claims, 'organizations:read', id)) visible.push({ id, name });
    return textOf(visible);
  });
  server.registerTool(
    'list_members',
    { description: 'Lists the members of an organization.', inputSchema: { organizationId: z.string() } },
    async ({ organizationId }) => {
      const isAllowed = await canRead(claims, 'members:read', organizationId).catch(() => false);
      if (!isAllowed) return { ...textOf('You have no permission to view the members of this organization.'), isError: true };
      const members = await call(`organizations/${encodeURIComponent(organizationId)}/members?limit=100`);
      return textOf(members.map(({ email, role }) => ({ email, role })));
    },
  );
  return server;
}

const app = express();

app.get(METADATA_PATH, (_request, response) => {
  response.json({ resource: mcpUrl, authorization_servers: [identityUrl], scopes_supported: SCOPES });
});

async function handle(request, response) {
  const claims = await claimsOf(request);
  if (!claims) {
    const challenge = `Bearer resource_metadata="${origin}${METADATA_PATH}", scope="${SCOPES.join(' ')}"`;
    return response.status(401).set('WWW-Authenticate', challenge).json({ error: 'invalid_token' });
  }
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => transport.close());
  await serverFor(claims).connect(transport);
  return transport.handleRequest(request, response, request.body);
}

app.post(pathname, express.json(), (request, response) => void handle(request, response).catch(() => response.status(500).end()));

app.listen(Number(port), () => console.log(`MCP server at ${mcpUrl}`));

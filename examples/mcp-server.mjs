// An MCP server that lists organizations and members, for people who sign in with the identity service (docs/guides/mcp.md).
//   npm install @modelcontextprotocol/sdk express jose zod
//   CLIENT_ID=app_… CLIENT_SECRET=… node examples/mcp-server.mjs
// The service knows MCP_URL as a resource with the scopes organizations:read and members:read. The client of this server is a machine client
// with the grant type urn:ietf:params:oauth:grant-type:token-exchange, MCP_URL in its audiences, and these scopes of the API of the identity
// service.
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

/** Returns a token if it is for this server. A token for another server, also of the same service, is rejected by its audience. */
async function tokenOf(request) {
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const options = { issuer: identityUrl, audience: mcpUrl, algorithms: ['ES256'], typ: 'at+jwt' };
  return jwtVerify(token, keys, options).then(
    () => token,
    () => undefined,
  );
}

/**
 * Returns a token with which this server calls the API for the person (RFC 8693): it has the permissions that the person allowed and has
 * now. The token of the person is for this server only, so it is never passed on.
 */
async function exchanged(token) {
  const response = await fetch(`${identityUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: identityUrl,
    }),
  });
  const { access_token: text, error } = await response.json();
  if (error) throw new Error(`The token can't be exchanged: ${error}`);
  return text;
}

/** Calls the API for the person. Throws if the person has no permission. */
async function call(token, path) {
  const headers = { authorization: `Bearer ${await exchanged(token)}` };
  const response = await fetch(`${identityUrl}/v1/${path}`, { headers });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
  return (await response.json()).data;
}

const textOf = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

function serverFor(token) {
  const server = new McpServer({ name: 'identity', version: '1.0.0' });
  server.registerTool('list_organizations', { description: 'Lists the organizations that you can view.' }, async () => {
    const organizations = await call(token, 'organizations?limit=100');
    return textOf(organizations.map(({ id, name }) => ({ id, name })));
  });
  server.registerTool(
    'list_members',
    { description: 'Lists the members of an organization.', inputSchema: { organizationId: z.string() } },
    async ({ organizationId }) => {
      const path = `organizations/${encodeURIComponent(organizationId)}/members?limit=100`;
      const members = await call(token, path).catch(() => undefined);
      if (!members) return { ...textOf('You have no permission to view the members of this organization.'), isError: true };
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
  const token = await tokenOf(request);
  if (!token) {
    const challenge = `Bearer resource_metadata="${origin}${METADATA_PATH}", scope="${SCOPES.join(' ')}"`;
    return response.status(401).set('WWW-Authenticate', challenge).json({ error: 'invalid_token' });
  }
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => transport.close());
  await serverFor(token).connect(transport);
  return transport.handleRequest(request, response, request.body);
}

app.post(pathname, express.json(), (request, response) => void handle(request, response).catch(() => response.status(500).end()));

app.listen(Number(port), () => console.log(`MCP server at ${mcpUrl}`));

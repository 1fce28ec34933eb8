import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type AppConfig, loadConfig } from '#platform/config';
import { apiSections, FieldProblemResponse, ProblemResponse, sessionCookieName } from '#platform/http';
import { currentBuild } from '../current-build.js';
import { ServerModule } from '../server.module.js';
import { limitChoiceLists } from './choice-lists.js';
import { closeBodies } from './closed-bodies.js';
import { addCommonResponses } from './common-responses.js';
import { EVENTS_TAG, eventDocumentation } from './event-webhooks.js';
import { adaptToGenerators } from './for-generators.js';
import { linkCreations } from './links.js';
import { showNullAsAbsent } from './nullable-fields.js';
import { markOptionalBodies } from './optional-bodies.js';
import { OAUTH_TAG } from './oauth-operation-parts.js';
import { addOAuthOperations } from './oauth-operations.js';
import { buildScimDocument, removeScimOperations } from './scim-document.js';
import { addSsfOperations, SSF_TAG } from './ssf-operations.js';
import { showPermissions } from './shown-permissions.js';

const DESCRIPTION = `Identity and access management: users, nested organizations with inherited settings, memberships, roles, API keys, sessions
and webhooks.

- **Authentication:** send an API key or a user's session token in \`Authorization: Bearer <token>\`.
- **Permissions:** most operations require one permission, shown as \`x-required-permission\`. An API key has the permissions in its scopes.
  A user has the permissions of the user's roles in the organization and in its ancestor organizations. Operations with \`x-own-account\`
  require a session and no permission.
- **Session cookie:** the service's own pages use a session cookie instead of a token. Requests that change something and use the cookie are
  accepted only from pages of the same origin.
- **Organizations:** a path parameter for an organization accepts its id or its slug.
- **Responses:** a single resource is returned as \`{"data": …}\`, a list as \`{"data": […], "pagination": {…}}\`. To get the next page of a
  list, set \`after\` to the id of the last item.
- **Errors:** \`application/problem+json\` (RFC 9457) with a stable \`code\`. \`type\` is the URL of a page that explains the error.
- **Idempotency:** POST operations with an \`Idempotency-Key\` header can be retried safely.
- **Request ids:** every response has an \`X-Request-Id\` header. A valid \`X-Request-Id\` in the request is reused.
- **Times:** ISO 8601 in UTC.`;

/** Libraries add sections of their own with `defineApiSection`. */
const TAGS: readonly (readonly [string, string])[] = [
  ['Users', 'User profiles, user lifecycle, and import and export of users.'],
  ['Organizations', 'Organizations, their hierarchy and their settings.'],
  ['Search', 'One search over everything that the caller can read.'],
  ['Members', 'Memberships of users in organizations.'],
  ['Identity providers', 'OpenID Connect providers and GitHub servers with which users of an organization sign in.'],
  ['Roles', 'Roles, permissions and permission checks.'],
  ['Webhooks', 'Endpoints that receive events.'],
  ['Deliveries', 'Deliveries of events to webhooks, with attempts, retries and replays.'],
  ['Events', 'The event log.'],
  [EVENTS_TAG, 'The requests that webhooks receive.'],
  ['Sign-in', 'Sign-in, sign-up, invitations, password reset and email verification.'],
  ['Break glass', 'Temporary emergency access that a second person approves.'],
  ['Account', "The signed-in user's own profile, sessions, password and MFA factors."],
  ['Sessions', 'Verification of session tokens and access tokens by other services.'],
  ['API keys', 'API keys of an organization.'],
  [
    OAUTH_TAG,
    'OAuth 2.1 and OpenID Connect, for applications that sign users in. Use a library for OpenID Connect. Errors are those of OAuth: `error` and `error_description`.',
  ],
  [
    SSF_TAG,
    'OpenID Shared Signals Framework 1.0, for receivers of security events. Bodies are those of the framework. Administrators see the streams in the section “Shared signals”.',
  ],
  ['Operations', 'Health checks and metrics.'],
];

/**
 * Returns the OpenAPI 3.1 document of all routes and events. The document depends only on the code, `BASE_URL` and
 * `SERVICE_NAME`.
 */
export function buildOpenApiDocument(app: INestApplication, config: Pick<AppConfig, 'baseUrl' | 'serviceName'>): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Identity service')
    .setDescription(DESCRIPTION)
    .setVersion(currentBuild.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(config.baseUrl)
    .addSecurity('apiKey', { type: 'http', scheme: 'bearer', description: `An API key (\`${config.serviceName}_sk_…\`).` })
    .addSecurity('sessionToken', { type: 'http', scheme: 'bearer', description: 'The session token that a sign-in returns.' })
    .addCookieAuth(
      sessionCookieName(config),
      {
        type: 'apiKey',
        in: 'cookie',
        description: "Session cookie of the service's own pages. See the `session-transport` header.",
      },
      'sessionCookie',
    );
  for (const [name, description] of [...TAGS, ...apiSections()]) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { extraModels: [ProblemResponse, FieldProblemResponse] });
  removeScimOperations(document);
  addCommonResponses(document);
  markOptionalBodies(document);
  limitChoiceLists(document);
  closeBodies(document);
  showNullAsAbsent(document);
  linkCreations(document);
  showPermissions(document);
  const { webhooks, pathItems, schemas } = eventDocumentation(config.serviceName);
  Object.assign(document.components!, { pathItems });
  Object.assign(document.components!.schemas!, schemas);
  addOAuthOperations(document);
  addSsfOperations(document);
  adaptToGenerators(document);
  return Object.assign(document, { webhooks });
}

/** Returns the committed document, which has the default configuration. Does not start the service or connect to a database. */
export const describeService = (): Promise<OpenAPIObject> => describe(buildOpenApiDocument);

/** Returns the committed document of SCIM. */
export const describeScim = (): Promise<OpenAPIObject> => describe(buildScimDocument);

async function describe(build: typeof buildOpenApiDocument): Promise<OpenAPIObject> {
  const config = loadConfig({});
  const app = await NestFactory.create(ServerModule.forRoot(config), { preview: true, logger: false, abortOnError: false });
  try {
    return build(app, config);
  } finally {
    await app.close();
  }
}

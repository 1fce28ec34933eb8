import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type AppConfig, loadConfig } from '#config';
import { FieldProblemResponse, ProblemResponse, sessionCookieName } from '#http';
import { ServerModule } from '../server.module.js';
import { closeBodies } from './closed-bodies.js';
import { addCommonAnswers } from './common-answers.js';
import { eventWebhooks } from './event-webhooks.js';
import { linkCreations } from './links.js';
import { showNullAsAbsent } from './nullable-fields.js';
import { markOptionalBodies } from './optional-bodies.js';
import { showPermissions } from './shown-permissions.js';

const DESCRIPTION = `Users, nested organizations with inherited settings, roles, and webhooks that never lose an event.

- Send an API key or a user's session token in \`Authorization: Bearer <token>\`. Each operation names the one permission it needs
  (\`x-required-permission\`): a key holds it by its scopes, a user by a role in the organization or in one above it. Operations marked
  \`x-own-account\` need a session and no permission.
- The service's own pages have their session in a cookie instead. Changes with it are taken from pages of the same origin alone.
- \`:org\` takes an organization's id or its slug.
- Single resources are answered as \`{"data": …}\`, lists as \`{"data": […], "pagination": {…}}\`. Walk lists with \`after\`.
- Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`type\` leads to a page that explains it.
- Every answer has an \`X-Request-Id\`; one that you send is kept. A POST with an \`Idempotency-Key\` can be repeated safely.
- Times are ISO 8601 in UTC.`;

const TAGS: readonly (readonly [string, string])[] = [
  ['Users', 'Profiles, their lifecycle and their roles.'],
  ['Organizations', 'The tree of organizations, its settings and its members.'],
  ['Members', 'Who belongs to an organization.'],
  ['Identity providers', "Where an organization's users sign in with their company's account."],
  ['Roles', 'Named sets of permissions.'],
  ['Webhooks', 'Where events are sent.'],
  ['Deliveries', 'What became of each event that was sent to a webhook.'],
  ['Events', 'What happened; the payloads that webhooks receive.'],
  ['Sign-in', 'How people get a session.'],
  ['Break glass', 'Emergency access that a second person grants, and that ends by itself.'],
  ['Account', 'What signed-in people do with their own account.'],
  ['Sessions', 'What other services ask about signed-in users.'],
  ['API keys', 'Credentials of programs.'],
  ['Operations', 'Health and metrics of a process.'],
];

/** The OpenAPI 3.1 document of all routes and events. It depends on nothing but the code, `BASE_URL` and `SERVICE_NAME`. */
export function buildOpenApiDocument(app: INestApplication, config: Pick<AppConfig, 'baseUrl' | 'serviceName'>): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Identity service')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(config.baseUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: `An API key (\`${config.serviceName}_sk_…\`).` }, 'apiKey')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'The token of a session, as sign-in gives it.' },
      'sessionToken',
    )
    .addCookieAuth(
      sessionCookieName(config),
      { type: 'apiKey', in: 'cookie', description: "A session of the service's own pages; see the header `session-transport`." },
      'sessionCookie',
    );
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { extraModels: [ProblemResponse, FieldProblemResponse] });
  addCommonAnswers(document);
  markOptionalBodies(document);
  closeBodies(document);
  showNullAsAbsent(document);
  linkCreations(document);
  showPermissions(document);
  return Object.assign(document, { webhooks: eventWebhooks(config.serviceName) });
}

/** The document as it is committed: with the defaults of the configuration, and without starting anything or reaching a database. */
export async function describeService(): Promise<OpenAPIObject> {
  const config = loadConfig({});
  const app = await NestFactory.create(ServerModule.forRoot(config), { preview: true, logger: false, abortOnError: false });
  try {
    return buildOpenApiDocument(app, config);
  } finally {
    await app.close();
  }
}

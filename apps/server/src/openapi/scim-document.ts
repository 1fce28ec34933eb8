import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { COMMON_ATTRIBUTES, ScimModule } from '#identity/scim';
import type { AppConfig } from '#platform/config';
import { currentBuild } from '../current-build.js';
import { scimSchemas } from './scim-schemas.js';

const DESCRIPTION = `SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865): the directory of a customer, such as Okta or Entra ID, provisions the users and groups of an
organization. A SCIM connection and its tokens are created with the API or in the dashboard.

- **Authentication:** a token of the connection in \`Authorization: Bearer <token>\`. It works only for the paths of its connection.
- **Media type:** \`application/scim+json\` or \`application/json\`, at most 4 MB.
- **Events:** every change publishes the same events as the API. \`actor.type\` is \`scim\`.`;

const TAGS = [
  ['Users', 'Users whom the connection manages.'],
  ['Groups', 'Groups that the connection manages.'],
  ['Service', 'What the service supports, searches of all resources and bulk operations.'],
] as const;

/** Returns the OpenAPI 3.1 document of SCIM. */
export function buildScimDocument(app: INestApplication, { baseUrl }: Pick<AppConfig, 'baseUrl'>): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Identity service: SCIM 2.0')
    .setDescription(DESCRIPTION)
    .setVersion(currentBuild.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(baseUrl)
    .addSecurity('scimToken', { type: 'http', scheme: 'bearer', description: 'A token of the SCIM connection (`scim.…`).' });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { include: [ScimModule] });
  // The library also has operations of the API.
  for (const path of Object.keys(document.paths)) if (!path.startsWith('/scim/')) delete document.paths[path];
  Object.assign(document.components!, { schemas: scimSchemas(COMMON_ATTRIBUTES) });
  return document;
}

/** Removes the operations of SCIM, which have their own document. */
export function removeScimOperations({ paths }: OpenAPIObject): void {
  for (const path of Object.keys(paths)) if (path.startsWith('/scim/')) delete paths[path];
}

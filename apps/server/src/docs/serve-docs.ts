import type { NestExpressApplication } from '@nestjs/platform-express';
import { type SwaggerCustomOptions, SwaggerModule } from '@nestjs/swagger';
import type { AppConfig } from '#platform/config';
import { buildOpenApiDocument } from '../openapi/openapi.js';
import { buildScimDocument } from '../openapi/scim-document.js';

/**
 * Serves `/openapi.json`, which the API reference at `/docs` shows, and `/openapi-scim.json`. The first request builds the document, to
 * keep the startup fast.
 */
export function serveDocs(app: NestExpressApplication, config: AppConfig): void {
  const only = (jsonDocumentUrl: string): SwaggerCustomOptions => ({ jsonDocumentUrl, raw: ['json'], ui: false });
  SwaggerModule.setup('docs', app, () => buildOpenApiDocument(app, config), only('openapi.json'));
  SwaggerModule.setup('docs/scim', app, () => buildScimDocument(app, config), only('openapi-scim.json'));
}

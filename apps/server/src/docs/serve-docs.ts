import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { AppConfig } from '#config';
import { buildOpenApiDocument } from '../openapi/openapi.js';

/** Serves `/openapi.json` and Swagger UI at `/docs`. The document is built when it is first asked for, so that the start stays fast. */
export function serveDocs(app: NestExpressApplication, config: AppConfig): void {
  SwaggerModule.setup('docs', app, () => buildOpenApiDocument(app, config), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Identity service API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true, filter: true },
  });
}

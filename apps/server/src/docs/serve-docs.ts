import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { join } from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import type { AppConfig } from '#platform/config';
import { buildOpenApiDocument } from '../openapi/openapi.js';
import { buildScimDocument } from '../openapi/scim-document.js';
import { projectDir } from '../project-dir.js';

/** Serves `/openapi.json`, `/openapi-scim.json` and Swagger UI at `/docs`. The first request builds the document, to keep the startup fast. */
export function serveDocs(app: NestExpressApplication, config: AppConfig): void {
  const policy = contentSecurityPolicy(config);
  app.use('/docs', (_request: Request, response: Response, next: NextFunction) => {
    response.setHeader('Content-Security-Policy', policy);
    next();
  });
  SwaggerModule.setup('docs', app, () => buildOpenApiDocument(app, config), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    // The build copies only these files. The complete package swagger-ui-dist is four times as large, and its dependencies have
    // telemetry.
    customSwaggerUiPath: join(projectDir, 'dist/server/swagger-ui'),
    customSiteTitle: 'Identity service API',
    swaggerOptions: { tryItOutEnabled: true, displayRequestDuration: true, filter: true },
  });
  SwaggerModule.setup('docs/scim', app, () => buildScimDocument(app, config), {
    jsonDocumentUrl: 'openapi-scim.json',
    raw: ['json'],
    ui: false,
  });
}

/** Allows only scripts of Swagger UI and requests to this service. The page has inline styles and images. */
const contentSecurityPolicy = ({ baseUrl }: Pick<AppConfig, 'baseUrl'>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self' ${new URL(baseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

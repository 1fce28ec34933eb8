import { Controller, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { organizationOf, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import {
  ApiProblems,
  authorizeAgainOf,
  Ctx,
  MEDIA_TYPES,
  mediaTypeOf,
  Post,
  Requires,
  sendDownload,
  type ServiceRequest,
  SkipIdempotency,
  type StreamedBody,
  UnsupportedBody,
} from '#platform/http';
import type { Request, Response } from 'express';
import { ExportUsersQuery } from '../user.requests.js';
import { ImportTooLarge, MAX_IMPORT_BYTES } from './import-errors.js';
import { type ImportLine, limited, readNdjson } from './import-lines.js';
import { readCsv } from './import-csv.js';
import { ImportOrganizationLine } from './import-access.requests.js';
import { ImportUserRequest, ImportUsersQuery } from './import.requests.js';
import { IMPORT_COLUMNS } from './user-columns.js';
import { ImportOutcomeResponse, ImportSummaryResponse } from './import.responses.js';
import { UserExportService } from './user-export.service.js';
import { UserImportService } from './user-import.service.js';

const { ndjson: NDJSON, csv: CSV } = MEDIA_TYPES;

/** The bodies of imports, which the server passes to the controller as a stream. */
export const USER_IMPORT_BODY: StreamedBody = {
  method: 'POST',
  path: /^\/v1\/organizations\/[^/]+\/users\/import\/?$/i,
  types: [NDJSON, CSV],
};

const text = (example: string) => ({ schema: { type: 'string' as const }, example });
const NDJSON_EXAMPLE = '{"externalId":"emp-10482","email":"jane.doe@example.com","firstName":"Jane","roles":["member"]}\n';
const CSV_EXAMPLE = 'externalId,email,firstName,roles\r\nemp-10482,jane.doe@example.com,Jane,member;billing\r\n';

/** Returns the schema of a text with one value per line. @nestjs/swagger has no type for `contentSchema` of OpenAPI 3.1. */
const linesOfType = (contentSchema: object, rest: object = {}): object => ({ type: 'string', contentSchema, ...rest });

/** Imports and exports users. */
@ApiTags('Users')
@Controller('v1/organizations/:org/users')
export class UserTransferController {
  constructor(
    private readonly imports: UserImportService,
    private readonly exports: UserExportService,
  ) {}

  @Post('import')
  @HttpCode(200)
  @Requires('users:write')
  @SkipIdempotency('Lines are identified by external id or email address, so that an import can be repeated.')
  @ApiOperation({
    operationId: 'importUsers',
    summary: 'Import users',
    description:
      'Imports up to 10,000 users as NDJSON or CSV, one user per line. The body can be up to 32 MB. For each line, the service looks ' +
      'for an existing user with the `externalId` of the line, then for an existing user with the email address of the line. If the service finds a ' +
      'user, it updates the profile fields of the user and merges `metadata` by key. The status, roles and password of an existing user ' +
      'do not change. If the service finds no user, it creates a user. A line with `organization` creates a descendant of the organization in the path, unless an organization of the tenant has its slug. It needs the permission `organizations:write`.\n\n' +
      'A line that fails does not affect other lines. The response is a stream. As soon as a line is committed, the service sends one ' +
      '`ImportOutcomeResponse` for the line, in the order of the lines. The last line of the response is one `ImportSummaryResponse`. ' +
      'If an import was interrupted, you can repeat the whole import. With `preview=true`, the response says what the import would do, and nothing is written. ' +
      'An import gives nobody more than the caller could give with single operations: the caller must have all permissions of the roles that the lines contain. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.created` for each created user, `organization.created` for each created organization and `user.updated` for each changed user. Publishes `organization.member_added` and `role.assigned` for `memberships`, and `user.mfa_enabled` for each kind of factor.',
  })
  @ApiExtraModels(ImportUserRequest, ImportOrganizationLine, ImportOutcomeResponse, ImportSummaryResponse)
  @ApiConsumes(NDJSON, CSV)
  @ApiBody({
    required: true,
    description:
      'NDJSON: one `ImportUserRequest` per line, or an `ImportOrganizationLine` for an organization that later lines name in `memberships`. CSV: a header row, and one column per field of `ImportUserRequest`. In CSV, separate several roles with `;`, as in `member;billing`, and write `metadata`, `identities`, `memberships` and `passkeys` as JSON.',
    schema: linesOfType(
      { anyOf: [{ $ref: getSchemaPath(ImportUserRequest) }, { $ref: getSchemaPath(ImportOrganizationLine) }] },
      { format: 'binary', example: CSV_EXAMPLE },
    ),
  })
  @ApiResponse({
    status: 200,
    description: 'The result of each line, and a summary.',
    content: {
      [NDJSON]: {
        schema: linesOfType({
          oneOf: [{ $ref: getSchemaPath(ImportOutcomeResponse) }, { $ref: getSchemaPath(ImportSummaryResponse) }],
        }),
      },
    },
  })
  @ApiProblems({
    413: 'The body is larger than 32 MB (`content_too_large`). If the service has already sent results, the status is 200 instead, and the `ImportSummaryResponse` at the end of the response contains the error. This is always the case for more than 10,000 lines (`too_many_lines`).',
    415: 'The `Content-Type` is neither `application/x-ndjson` nor `text/csv`, its charset is not UTF-8, or the body is compressed (`unsupported_media_type`).',
  })
  async import(
    @Ctx() ctx: RequestContext,
    @Query() query: ImportUsersQuery,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.imports.run(ctx, linesOf(request), authorizeAgainOf(request), query);
    try {
      for await (const batch of batches) {
        if (response.destroyed) return;
        // An error before the first outcomes causes a normal error response.
        if (!response.headersSent) response.status(200).setHeader('Content-Type', NDJSON);
        // Ignores backpressure, because a client can send the whole body before the first read. 10,000 outcomes fit in memory.
        response.write(batch.map((line) => `${JSON.stringify(line)}\n`).join(''));
      }
      response.end();
    } catch (error) {
      const clientDisconnected = request.destroyed && !request.complete;
      if (!clientDisconnected) throw error;
      response.destroy();
    }
  }

  @Get('export')
  @Requires('users:read')
  @ApiOperation({
    operationId: 'exportUsers',
    summary: 'Export users',
    description:
      'Streams all users that `GET /v1/organizations/{org}/users` returns for the same filters, newest first. You can import the exported ' +
      'file without changes. In CSV, the export puts an apostrophe before each value that a spreadsheet would run as a formula. The import ' +
      'removes this apostrophe. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.exported`.',
  })
  @ApiResponse({
    status: 200,
    description: 'A file with one user per line. A CSV file starts with a header row.',
    content: { [NDJSON]: text(NDJSON_EXAMPLE), [CSV]: text(CSV_EXAMPLE) },
  })
  async export(
    @Ctx() ctx: RequestContext,
    @Query() query: ExportUsersQuery,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const format = query.format ?? 'ndjson';
    const filename = `users-${organizationOf(ctx).slug}.${format}`;
    await sendDownload(response, { format, filename }, this.exports.run(ctx, query, authorizeAgainOf(request)));
  }
}

/** @throws UnsupportedBody (415), ImportTooLarge (413) */
function linesOf(request: Request): AsyncIterable<ImportLine> {
  const type = mediaTypeOf(request.headers['content-type']);
  if (type !== NDJSON && type !== CSV)
    throw new UnsupportedBody(request.headers['content-type'] ?? 'missing a Content-Type', USER_IMPORT_BODY.types);
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) throw new ImportTooLarge();
  // Keeps the connection open when reading ends early, so that the response can be sent.
  const chunks = limited(request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
  return type === CSV ? readCsv(chunks, IMPORT_COLUMNS) : readNdjson(chunks);
}

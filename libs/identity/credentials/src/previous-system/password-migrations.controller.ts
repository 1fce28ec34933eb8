import { Body, Controller, Delete, Get, HttpCode, Patch } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { UpdatePasswordMigrationRequest } from './password-migration.requests.js';
import { PasswordMigrationResponse } from './password-migration.responses.js';
import { PasswordMigrationsService } from './password-migrations.service.js';

const NOT_FOUND = 'The organization does not exist, or has no password migration (`password_migration_not_found`).';

@ApiTags('Users')
@Controller('v1/organizations/:org/password-migration')
export class PasswordMigrationsController {
  constructor(
    private readonly migrations: PasswordMigrationsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'getPasswordMigration',
    summary: 'Get the password migration',
    description: 'Returns the previous system that confirms passwords of users who have none here.',
  })
  @ApiData(PasswordMigrationResponse, { description: 'The password migration.' })
  @ApiProblems({ 404: NOT_FOUND })
  async get(@Ctx() ctx: RequestContext): Promise<DataResponse<PasswordMigrationResponse>> {
    return { data: PasswordMigrationResponse.from(await this.migrations.get(ctx), this.clock.now()) };
  }

  @Patch()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'updatePasswordMigration',
    summary: 'Set or change the password migration',
    description:
      'Sets the previous system that confirms passwords. If an active user of the organization without a password signs in with a password, the service sends a signed request to the URL. If the response is `{"valid": true}`, the user is signed in, and the service stores the password as its own hash. Users with permissions outside of the organization and its descendants are excluded. The caller must have all permissions (`*`) in the organization, because who controls the URL learns passwords and can sign in as these users. ' +
      RECENT_SIGN_IN +
      ' Publishes `password_migration.updated`.',
  })
  @ApiData(PasswordMigrationResponse, { description: 'The password migration, with the secret if it is new.' })
  @ApiProblems({ 400: 'Invalid request.', 403: 'The caller does not have all permissions in the organization (`forbidden`).' })
  async update(
    @Ctx() ctx: RequestContext,
    @Body() body: UpdatePasswordMigrationRequest,
  ): Promise<DataResponse<PasswordMigrationResponse>> {
    const { migration, secret } = await this.migrations.update(ctx, body);
    return { data: PasswordMigrationResponse.from(migration, this.clock.now(), secret) };
  }

  @Delete()
  @HttpCode(204)
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'deletePasswordMigration',
    summary: 'End the password migration',
    description:
      'Ends the password migration. Users without a password can then reset it by email. The caller must have all permissions (`*`) in the organization. ' +
      RECENT_SIGN_IN +
      ' Publishes `password_migration.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The previous system no longer confirms passwords.' })
  @ApiProblems({ 403: 'The caller does not have all permissions in the organization (`forbidden`).', 404: NOT_FOUND })
  async delete(@Ctx() ctx: RequestContext): Promise<void> {
    await this.migrations.delete(ctx);
  }
}

import { All, Body, Controller, Get, HttpCode, NotFoundException, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { Ctx, Post, Requires, SkipIdempotency } from '#platform/http';
import { baseUrlOf, connectionOf } from '../access/scim-connection.js';
import { ScimResponseInterceptor } from '../access/scim-response.interceptor.js';
import { ScimBulkService } from '../bulk/scim-bulk.service.js';
import { ApiScim, ApiScimId, ApiScimSection } from '../openapi.js';
import type { ScimObject } from '../protocol/resource.js';
import { RESOURCE_TYPES } from '../protocol/schemas.js';
import { ScimMeUnsupported } from '../protocol/scim-errors.js';
import { listOf, resourceTypeDocument, schemaDocument, SCHEMAS, serviceProviderConfig } from '../protocol/service-documents.js';
import { ScimSearchService } from './scim-search.service.js';

const CONNECTION = { organization: 'connection' } as const;

/** What the service supports, and operations on users and groups together. */
@ApiScimSection('Service')
@Controller('scim/v2/:connection')
@UseInterceptors(ScimResponseInterceptor)
export class ScimServiceController {
  constructor(
    private readonly bulk: ScimBulkService,
    private readonly searches: ScimSearchService,
    private readonly config: AppConfig,
  ) {}

  @Get('ServiceProviderConfig')
  @Requires('users:read', CONNECTION)
  @ApiScim({ id: 'getScimServiceProviderConfig', summary: 'Get what the service supports', response: 'ServiceProviderConfig' })
  serviceProviderConfig(@Ctx() ctx: RequestContext): ScimObject {
    return serviceProviderConfig(this.base(ctx), `${this.config.baseUrl}/docs/guide/guides/scim`);
  }

  @Get('ResourceTypes')
  @Requires('users:read', CONNECTION)
  @ApiScim({ id: 'listScimResourceTypes', summary: 'List the types of resources', response: 'ResourceTypeList' })
  resourceTypes(@Ctx() ctx: RequestContext): ScimObject {
    return listOf(RESOURCE_TYPES.map((type) => resourceTypeDocument(type, this.base(ctx))));
  }

  @Get('ResourceTypes/:id')
  @Requires('users:read', CONNECTION)
  @ApiScimId()
  @ApiScim({ id: 'getScimResourceType', summary: 'Get a type of resources', response: 'ResourceType', errors: [404] })
  resourceType(@Ctx() ctx: RequestContext, @Param('id') id: string): ScimObject {
    const type = RESOURCE_TYPES.find(({ name }) => name === id);
    if (!type) throw new NotFoundException();
    return resourceTypeDocument(type, this.base(ctx));
  }

  @Get('Schemas')
  @Requires('users:read', CONNECTION)
  @ApiScim({ id: 'listScimSchemas', summary: 'List the schemas of resources', response: 'SchemaList' })
  schemas(@Ctx() ctx: RequestContext): ScimObject {
    return listOf(SCHEMAS.map((schema) => schemaDocument(schema, this.base(ctx))));
  }

  @Get('Schemas/:id')
  @Requires('users:read', CONNECTION)
  @ApiScimId()
  @ApiScim({ id: 'getScimSchema', summary: 'Get a schema', response: 'Schema', errors: [404] })
  schema(@Ctx() ctx: RequestContext, @Param('id') id: string): ScimObject {
    const schema = SCHEMAS.find((each) => each.id.toLowerCase() === id.toLowerCase());
    if (!schema) throw new NotFoundException();
    return schemaDocument(schema, this.base(ctx));
  }

  @Get()
  @Requires('users:read', CONNECTION)
  @ApiScim({ id: 'listScimResources', summary: 'List users and groups', response: 'ResourceList', errors: [400], isList: true })
  list(@Ctx() ctx: RequestContext, @Query() query: ScimObject): Promise<ScimObject> {
    return this.searches.search(ctx, query);
  }

  @Post('.search')
  @HttpCode(200)
  @Requires('users:read', CONNECTION)
  @ApiScim({
    id: 'searchScimResources',
    summary: 'Search users and groups',
    body: 'SearchRequest',
    response: 'ResourceList',
    errors: [400],
  })
  search(@Ctx() ctx: RequestContext, @Body() body: ScimObject): Promise<ScimObject> {
    return this.searches.search(ctx, body);
  }

  @Post('Bulk')
  @HttpCode(200)
  @SkipIdempotency('Each operation has its own transaction.')
  @Requires('users:write', CONNECTION)
  @ApiScim({
    id: 'executeScimBulk',
    summary: 'Execute several changes',
    description: 'Each operation has its own transaction and its own status in the response.',
    body: 'BulkRequest',
    response: 'BulkResponse',
    errors: [400, 413],
  })
  executeBulk(@Ctx() ctx: RequestContext, @Body() body: ScimObject): Promise<ScimObject> {
    return this.bulk.run(ctx, body);
  }

  @All('Me')
  @Requires('users:read', CONNECTION)
  @ApiExcludeEndpoint()
  me(): never {
    throw new ScimMeUnsupported();
  }

  private base(ctx: RequestContext): string {
    return baseUrlOf(this.config, connectionOf(ctx));
  }
}

import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { CreateDomainRequest, UpdateDomainRequest } from './domain.requests.js';
import { DomainResponse } from './domain.responses.js';
import { DomainsService } from './domains.service.js';

const DOMAIN_ID = { name: 'id', description: 'Id of the domain.', example: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Domains')
@Controller('v1/organizations/:org/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  @Get()
  @Requires('domains:read')
  @ApiOperation({ operationId: 'listDomains', summary: 'List domains' })
  @ApiList(DomainResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<ListResponse<DomainResponse>> {
    return listResponse(await this.domains.list(ctx, PageQuery.read(query)), DomainResponse.from);
  }

  @Get(':id')
  @Requires('domains:read')
  @ApiIdParam(DOMAIN_ID)
  @ApiOperation({ operationId: 'getDomain', summary: 'Get a domain' })
  @ApiData(DomainResponse, { description: 'The domain.' })
  @ApiProblems({ 404: 'The organization or domain does not exist.' })
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<DomainResponse>> {
    const domain = await this.domains.get(ctx, id);
    return withETag({ data: DomainResponse.from(domain) }, domain.version);
  }

  @Post()
  @Requires('domains:write')
  @ApiOperation({ operationId: 'createDomain', summary: 'Create a domain' })
  @ApiData(DomainResponse, { status: 201, description: 'The domain was created.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization does not exist.',
    409: '`domain_name_taken`, `domain_limit`, `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateDomainRequest): Promise<DataResponse<DomainResponse>> {
    return { data: DomainResponse.from(await this.domains.create(ctx, body)) };
  }

  @Patch(':id')
  @ApiIfMatch()
  @Requires('domains:write')
  @ApiIdParam(DOMAIN_ID)
  @ApiOperation({
    operationId: 'updateDomain',
    summary: 'Update a domain',
    description: 'Fields that are absent from the request are not changed.',
  })
  @ApiData(DomainResponse, { description: 'The updated domain.' })
  @ApiProblems({
    400: 'Invalid request.',
    404: 'The organization or domain does not exist.',
    409: '`domain_name_taken`, `organization_suspended`.',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateDomainRequest,
  ): Promise<DataResponse<DomainResponse>> {
    const domain = await this.domains.update(ctx, id, body);
    return withETag({ data: DomainResponse.from(domain) }, domain.version);
  }

  @Delete(':id')
  @ApiIfMatch()
  @HttpCode(204)
  @Requires('domains:write')
  @ApiIdParam(DOMAIN_ID)
  @ApiOperation({ operationId: 'deleteDomain', summary: 'Delete a domain' })
  @ApiNoContentResponse({ description: 'The domain was deleted.' })
  @ApiProblems({ 404: 'The organization or domain does not exist.', 409: '`organization_suspended`.' })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.domains.delete(ctx, id);
  }
}

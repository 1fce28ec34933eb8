import { Body, Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedInSetup, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { CreateDomainRequest } from './domain.requests.js';
import { DomainResponse } from './domain.responses.js';
import { DomainsService } from './domains.service.js';

const DOMAIN_ID = { name: 'id', description: 'Id of the domain.', example: 'dmn_01kf2bav4hf7r8v2m5n9q1c3ek' };

@ApiTags('Domains')
@Controller('v1/organizations/:org/domains')
@AllowedInSetup('domain')
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
    return { data: DomainResponse.from(await this.domains.get(ctx, id)) };
  }

  @Post()
  @Requires('domains:write')
  @ApiOperation({
    operationId: 'createDomain',
    summary: 'Add a domain',
    description:
      'Returns the DNS record that verifies the domain. The service looks for the record every hour for seven days. To check at once, call `verifyDomain`. Publishes `domain.created`.',
  })
  @ApiData(DomainResponse, { status: 201, description: 'The domain was added.' })
  @ApiProblems({
    400: 'Invalid domain name.',
    404: 'The organization does not exist.',
    409: '`domain_name_taken`, `domain_limit`, `organization_suspended`.',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateDomainRequest): Promise<DataResponse<DomainResponse>> {
    return { data: DomainResponse.from(await this.domains.create(ctx, body)) };
  }

  @Post(':id/verify')
  @HttpCode(200)
  @Requires('domains:write')
  @ApiIdParam(DOMAIN_ID)
  @ApiOperation({
    operationId: 'verifyDomain',
    summary: 'Verify a domain',
    description:
      'Looks up the DNS record now. If the record does not exist, `lastError` in the response has the reason. A verified domain is checked every day and stays verified until the record is missing for three days. Publishes `domain.verified` if the domain becomes verified.',
  })
  @ApiData(DomainResponse, { description: 'The domain after the check.' })
  @ApiProblems({ 404: 'The organization or domain does not exist.', 409: '`organization_suspended`.' })
  async verify(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<DomainResponse>> {
    return { data: DomainResponse.from(await this.domains.verify(ctx, id)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('domains:write')
  @ApiIdParam(DOMAIN_ID)
  @ApiOperation({
    operationId: 'deleteDomain',
    summary: 'Delete a domain',
    description:
      'Another organization can then verify the domain. A verified domain can be deleted only if no identity provider of the organization or of a descendant is trusted for it. Publishes `domain.deleted`.',
  })
  @ApiNoContentResponse({ description: 'The domain was deleted.' })
  @ApiProblems({
    403: 'The caller lacks the permission (`forbidden`).',
    404: 'The organization or domain does not exist.',
    409: 'The organization is suspended (`organization_suspended`), or an identity provider of the organization or of a descendant is trusted for the domain (`domain_trusted`). Remove the domain from `trustedDomains` first, which needs all permissions.',
  })
  async delete(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    await this.domains.delete(ctx, id);
  }
}

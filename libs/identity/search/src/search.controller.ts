import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Requires } from '#platform/http';
import { SearchQuery } from './search.requests.js';
import { SearchResponse } from './search.responses.js';
import { SearchService } from './search.service.js';

const DEFAULT_LIMIT = 5;

@ApiTags('Search')
@Controller('v1/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get()
  @Requires('organizations:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'search',
    summary: 'Search everything',
    description:
      'Finds users, organizations, groups, roles, API keys, webhooks and OAuth clients in all organizations that the caller can read. Each type is found only where the caller has the permission that its list requires: `users:read`, `groups:read`, `roles:read`, `api_keys:read`, `webhooks:read` and `oauth_clients:read`. Deleted users and organizations, revoked API keys and built-in roles are not found. For all results of one type, use the list of the type.',
  })
  @ApiData(SearchResponse, { description: 'The results.' })
  @ApiProblems({ 400: '`q` or `limit` is invalid.' })
  async search(
    @Ctx() ctx: RequestContext,
    @Query() { q, limit = DEFAULT_LIMIT }: SearchQuery,
  ): Promise<DataResponse<SearchResponse>> {
    return { data: SearchResponse.from(await this.searches.search(ctx, q, limit)) };
  }
}

import { Module } from '@nestjs/common';
import { OrganizationPathsQuery } from './organization-paths.query.js';
import { PeopleSearchQuery } from './people-search.query.js';
import { ResourceSearchQuery } from './resource-search.query.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** One search over the people and resources of all organizations that the caller can access. */
@Module({
  controllers: [SearchController],
  providers: [OrganizationPathsQuery, PeopleSearchQuery, ResourceSearchQuery, SearchService],
})
export class SearchModule {}

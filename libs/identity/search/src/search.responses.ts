import { ApiProperty } from '@nestjs/swagger';
import type { SearchResults } from './search.service.js';
import { type FoundItem, type PathOrganization, SEARCH_TYPES } from './search-types.js';

const TYPES = Object.keys(SEARCH_TYPES);

export class SearchPathResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
}

export class SearchResultResponse {
  @ApiProperty({ enum: TYPES, example: 'user' }) type!: string;
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({
    description: 'Name of the resource. For a user: the display name, or else the full name or the email address.',
    example: 'Jane Doe',
  })
  name!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'What distinguishes results with the same name: the email address of a user, the slug of an organization, the description of a group or role, the first and last characters of an API key, the URL of a webhook, the home page of an OAuth client.',
    example: 'jane.doe@example.com',
  })
  detail!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Status of a user (`active`, `pending`, `suspended`) or an organization (`active`, `pending`, `suspended`), or whether a webhook or OAuth client is `enabled` or `disabled`. Null for other types.',
    example: 'active',
  })
  status!: string | null;
  @ApiProperty({
    description:
      'Id of the organization of the result. For an organization: its own id. For a user: the organization that manages the user or, if the caller cannot list its users, another one of the user. For a role of an organization that the caller cannot read: one of the organizations of the caller that inherit the role.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string;
  @ApiProperty({
    type: [SearchPathResponse],
    description: 'The organization and its ancestors, from the topmost organization that the caller can read.',
  })
  path!: SearchPathResponse[];

  static from({
    type,
    id,
    name,
    detail,
    status,
    organizationId,
    path,
  }: FoundItem & { path: readonly PathOrganization[] }): SearchResultResponse {
    return { type, id, name, detail, status, organizationId, path: [...path] };
  }
}

export class SearchResponse {
  @ApiProperty({ type: [SearchResultResponse], description: 'The results by type, the best of each type first.' })
  results!: SearchResultResponse[];
  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: TYPES },
    description: 'The types that have more results than `limit`. Their lists have a search of their own, with pages.',
    example: ['user'],
  })
  more!: string[];

  static from({ items, more }: SearchResults): SearchResponse {
    return { results: items.map(SearchResultResponse.from), more: [...more] };
  }
}

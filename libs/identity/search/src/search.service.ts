import { Injectable } from '@nestjs/common';
import { type Caller, emailKey, isId, reaches, type RequestContext, searchKey } from '#platform/common';
import { isMailAddress } from '#platform/http';
import { OrganizationPathsQuery } from './organization-paths.query.js';
import { PeopleSearchQuery } from './people-search.query.js';
import { ResourceSearchQuery, type ResourceType } from './resource-search.query.js';
import { scopesOf, type SearchScope } from './search-scope.js';
import { type FoundItem, type PathOrganization, SEARCH_TYPES, type SearchTerm, type SearchType } from './search-types.js';

export interface SearchResults {
  readonly items: readonly (FoundItem & { readonly path: readonly PathOrganization[] })[];
  /** The types that have more results than the limit. */
  readonly more: readonly SearchType[];
}

const TYPES = Object.keys(SEARCH_TYPES) as SearchType[];

/** Searches in all organizations that the caller can access, each type where the caller can list it. */
@Injectable()
export class SearchService {
  constructor(
    private readonly people: PeopleSearchQuery,
    private readonly resources: ResourceSearchQuery,
    private readonly paths: OrganizationPathsQuery,
  ) {}

  /** Returns up to `limit` results of each type. An id or the email address of a person finds only what has it. */
  async search(ctx: RequestContext, text: string, limit: number): Promise<SearchResults> {
    const term = termOf(text);
    if (!term) return { items: [], more: [] };
    const found = await this.find(ctx, term, limit + 1);
    if (found.length === 0 && term.by === 'email')
      return this.resultsOf(ctx, await this.find(ctx, { by: 'text', text }, limit + 1), limit);
    return this.resultsOf(ctx, found, limit);
  }

  private async find(ctx: RequestContext, term: SearchTerm, limit: number): Promise<FoundItem[]> {
    const types = term.by === 'id' ? TYPES.filter((type) => isId(SEARCH_TYPES[type].kind, term.id)) : TYPES;
    const byTenant = new Map<string | undefined, Map<SearchType, SearchScope>>();
    for (const type of types)
      for (const scope of scopesOf(ctx.caller, type))
        byTenant.set(scope.tenantId, (byTenant.get(scope.tenantId) ?? new Map<SearchType, SearchScope>()).set(type, scope));
    const found = await Promise.all([...byTenant.values()].map((scopes) => this.findInTenant(ctx, scopes, term, limit)));
    return found.flat();
  }

  private async findInTenant(
    ctx: RequestContext,
    scopes: ReadonlyMap<SearchType, SearchScope>,
    term: SearchTerm,
    limit: number,
  ): Promise<FoundItem[]> {
    const people = scopes.get('user');
    const resources = new Map([...scopes].filter((entry): entry is [ResourceType, SearchScope] => entry[0] !== 'user'));
    const found = await Promise.all([
      people ? this.people.find(ctx, people, term, limit) : Promise.resolve([]),
      term.by === 'email' ? Promise.resolve([]) : this.resources.find(ctx, resources, term, limit),
    ]);
    return found.flat();
  }

  private async resultsOf(ctx: RequestContext, found: readonly FoundItem[], limit: number): Promise<SearchResults> {
    const byType = TYPES.map((type) => found.filter((item) => item.type === type));
    const withoutPath = new Set(found.filter(({ path }) => path === null).map(({ organizationId }) => organizationId));
    const paths = withoutPath.size > 0 ? await this.paths.findAll(ctx, [...withoutPath]) : undefined;
    const pathOf = ({ path, organizationId }: FoundItem) => path ?? paths?.get(organizationId) ?? [];
    return {
      items: byType
        .flatMap((items) => items.slice(0, limit))
        .map((item) => ({ ...item, path: readablePath(ctx.caller, pathOf(item)) })),
      more: TYPES.filter((_, index) => (byType[index]?.length ?? 0) > limit),
    };
  }
}

/** Returns what to search for, or undefined if the text has no characters that a search compares. */
function termOf(text: string): SearchTerm | undefined {
  const trimmed = text.trim();
  if (TYPES.some((type) => isId(SEARCH_TYPES[type].kind, trimmed))) return { by: 'id', id: trimmed };
  if (isMailAddress(trimmed)) return { by: 'email', emailKey: emailKey(trimmed) };
  return searchKey(trimmed) === '' ? undefined : { by: 'text', text: trimmed };
}

/** Returns the part of the path that the caller can read: from the caller's topmost organization. */
const readablePath = (caller: Caller, path: readonly PathOrganization[]): readonly PathOrganization[] =>
  path.filter(({ id }, index) => reaches(caller, { id, ancestorIds: path.slice(0, index).map((each) => each.id) }));

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { ancestorsQuery } from '../../organization';
import { covers, permissionsQuery } from '../../permissions';

const SHOWN_MAX = 20;
const PERMISSIONS_STALE_MS = 60_000;

export interface ParentCandidate {
  readonly id: string;
  readonly name: string;
  /** The names of the ancestors that the caller can see. */
  readonly path: string;
}

type Moved = Pick<Schema<'OrganizationResponse'>, 'id' | 'parentId'>;
type Found = Pick<Schema<'OrganizationListItemResponse'>, 'id' | 'name' | 'parentId'>;

/** Finds organizations that can be the new parent: in the same tenant, outside the moved organization, and writable. */
export const parentCandidatesQuery = (moved: Moved, search: string) =>
  queryOptions({
    queryKey: ['organizations', 'parent-candidates', moved.id, search],
    queryFn: async (): Promise<readonly ParentCandidate[]> => {
      const query = { limit: SHOWN_MAX, ...(search !== '' && { search }) };
      const { data } = await unwrap(api.GET('/v1/organizations', { params: { query } }));
      const rootId = await knownRootOf(moved);
      const candidates = await Promise.all(data.map((found) => candidateOf(found, moved, rootId)));
      return candidates.filter((candidate) => candidate !== undefined);
    },
    placeholderData: keepPreviousData,
  });

async function candidateOf(found: Found, moved: Moved, rootId: string | undefined): Promise<ParentCandidate | undefined> {
  if (found.id === moved.parentId) return undefined;
  const ancestors = await queryClient.fetchQuery(ancestorsQuery(found.id));
  const path = [...ancestors.map(({ id }) => id), found.id];
  if (path.includes(moved.id)) return undefined;
  const foundRootId = await knownRootOf(found);
  if (rootId !== undefined && foundRootId !== undefined && rootId !== foundRootId) return undefined;
  if (!(await canWriteIn(path))) return undefined;
  return { id: found.id, name: found.name, path: ancestors.map(({ name }) => name).join(' / ') };
}

/** Returns the id of the root organization, or undefined if the caller can't see it. */
async function knownRootOf({ id, parentId }: Moved): Promise<string | undefined> {
  if (parentId === null) return id;
  const [top] = await queryClient.fetchQuery(ancestorsQuery(id));
  return top?.parentId === null ? top.id : undefined;
}

/** Asks from the root down: who can write in an organization can also write in its descendants. */
async function canWriteIn(path: readonly string[]): Promise<boolean> {
  for (const id of path) {
    const permissions = await queryClient.fetchQuery({ ...permissionsQuery(id), staleTime: PERMISSIONS_STALE_MS });
    if (covers(permissions, 'organizations:write')) return true;
  }
  return false;
}

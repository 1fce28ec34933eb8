import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';

export type TreeNode = Pick<
  Schema<'OrganizationListItemResponse'>,
  'id' | 'name' | 'slug' | 'status' | 'parentId' | 'memberCount' | 'hasChildren'
>;

const PAGE_SIZE = 50;

/** Loads the child organizations page by page. With `null`, loads the topmost organizations that the caller can see. */
export const childrenQuery = (parentId: string | null) =>
  infiniteQueryOptions({
    queryKey: ['organizations', 'below', parentId],
    queryFn: ({ pageParam }) => {
      const filter = parentId === null ? { topmost: true } : { parentId };
      return unwrap(api.GET('/v1/organizations', { params: { query: { ...filter, page: pageParam, limit: PAGE_SIZE } } }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { total, page, limit } }) => (page * limit < total ? page + 1 : undefined),
  });

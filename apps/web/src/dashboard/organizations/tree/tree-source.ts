import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../../api/client';

/** An organization as the tree shows it. */
export type TreeNode = Pick<
  Schema<'OrganizationListItemResponse'>,
  'id' | 'name' | 'slug' | 'status' | 'memberCount' | 'hasChildren'
>;

/** How many organizations are read at once. */
const PAGE_SIZE = 50;

/** The organizations directly below one, or with `null` the topmost ones that the caller sees, page by page. */
export const childrenQuery = (parentId: string | null) =>
  infiniteQueryOptions({
    queryKey: ['organizations', 'below', parentId],
    queryFn: ({ pageParam }) => {
      const place = parentId === null ? { topmost: true } : { parentId };
      return answerOf(api.GET('/v1/organizations', { params: { query: { ...place, page: pageParam, limit: PAGE_SIZE } } }));
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { total, page, limit } }) => (page * limit < total ? page + 1 : undefined),
  });

import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { covers, permissionsQuery } from '../../permissions';
import { TreeAction } from './tree-action';
import { TreeItems } from './tree-item';
import { childrenQuery } from './tree-query';
import { TreeStateProvider } from './tree-state';
import styles from './tree.module.css';

/** The tree of organizations that the caller can see. Each level is loaded when its parent is expanded. */
export function OrganizationTree({ empty }: { empty: ReactNode }) {
  const query = useInfiniteQuery(childrenQuery(null));
  const firstId = query.data?.pages[0]?.data[0]?.id;
  const { data: permissions = [] } = useQuery({ ...permissionsQuery(firstId ?? ''), enabled: firstId !== undefined });
  const canMove = covers(permissions, 'organizations:write');
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <TreeSkeleton />;
  const nodes = query.data.pages.flatMap(({ data }) => data);
  const total = query.data.pages.at(-1)!.pagination.total;
  if (nodes.length === 0) return <Paper withBorder>{empty}</Paper>;
  return (
    <>
      <Paper withBorder p="xs">
        <TreeStateProvider firstId={firstId}>
          <ul role="tree" aria-label={t('organizations.tree.label')} className={styles.tree}>
            <TreeItems nodes={nodes} path={[]} total={total} />
            {query.hasNextPage && (
              <TreeAction
                id="more"
                level={1}
                label={t('organizations.tree.loadMore', { left: total - nodes.length })}
                run={() => void query.fetchNextPage()}
              />
            )}
          </ul>
        </TreeStateProvider>
      </Paper>
      <Text size="sm" c="dimmed" mt="xs" visibleFrom="sm">
        {t('organizations.tree.hint')} {canMove && t('organizations.tree.dragHint')}
      </Text>
    </>
  );
}

const TreeSkeleton = () => (
  <Paper withBorder p="md" aria-busy>
    <Stack>
      {['1', '2', '3', '4'].map((key) => (
        <Skeleton key={key} h={20} />
      ))}
    </Stack>
  </Paper>
);

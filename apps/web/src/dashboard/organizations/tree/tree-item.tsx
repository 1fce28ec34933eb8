import { Anchor, Group, Loader, Text } from '@mantine/core';
import { ChevronRightIcon } from '@primer/octicons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { t } from '../../../texts';
import { OrganizationStatus } from '../organization-status';
import { rowIndent } from './row-indent';
import { TreeAction } from './tree-action';
import { onTreeKey } from './tree-keys';
import { useTreeDrag } from './tree-drag';
import { childrenQuery, type TreeNode } from './tree-query';
import { useTreeState } from './tree-state';
import styles from './tree.module.css';

interface ItemsProps {
  readonly nodes: readonly TreeNode[];
  /** The ids of the ancestors in the tree. */
  readonly path: readonly string[];
  readonly total: number;
}

export function TreeItems({ nodes, path, total }: ItemsProps) {
  return nodes.map((node, index) => <TreeItem key={node.id} node={node} path={path} position={index + 1} setSize={total} />);
}

interface Props {
  readonly node: TreeNode;
  readonly path: readonly string[];
  readonly position: number;
  readonly setSize: number;
}

/**
 * An organization in the tree. The children are loaded when the item is expanded. The list of children is next to the item, not
 * inside, so that the accessible name of the item excludes the children. `aria-level` replaces the nesting.
 */
export function TreeItem({ node, path, position, setSize }: Props) {
  const tree = useTreeState();
  const navigate = useNavigate();
  const address = `/dashboard/organizations/${node.id}`;
  const canExpand = node.hasChildren === true;
  const isExpanded = canExpand && tree.isExpanded(node.id);
  const toggle = () => tree.toggle(node.id);
  const level = path.length + 1;
  const drag = useTreeDrag(node, path);
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={level}
        aria-posinset={position}
        aria-setsize={setSize}
        aria-expanded={canExpand ? isExpanded : undefined}
        aria-selected={false}
        tabIndex={tree.tabStop === node.id ? 0 : -1}
        className={styles.row}
        style={rowIndent(level)}
        {...drag}
        onFocus={() => tree.setTabStop(node.id)}
        onKeyDown={(event) => onTreeKey(event, { isExpanded, canExpand, toggle, open: () => void navigate({ to: address }) })}
      >
        <span
          className={styles.toggle}
          data-open={isExpanded || undefined}
          onClick={canExpand ? toggle : undefined}
          title={
            canExpand
              ? t(isExpanded ? 'organizations.tree.collapse' : 'organizations.tree.expand', { name: node.name })
              : undefined
          }
          aria-hidden
        >
          {canExpand && <ChevronRightIcon size={16} />}
        </span>
        <Anchor
          component={Link}
          to={address}
          // Otherwise, the browser drags the link instead of the row.
          draggable={drag.draggable ? false : undefined}
          tabIndex={-1}
          className={`${styles.name} breakable`}
          c="inherit"
          fw={500}
        >
          {node.name}
        </Anchor>
        <Group gap="sm" wrap="nowrap">
          {node.status !== 'active' && <OrganizationStatus status={node.status} />}
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} visibleFrom="xs">
            {t('organizations.countMembers', { count: node.memberCount })}
          </Text>
        </Group>
      </div>
      {isExpanded && <TreeBranch path={[...path, node.id]} />}
    </li>
  );
}

function TreeBranch({ path }: { path: readonly string[] }) {
  const parentId = path.at(-1)!;
  const level = path.length + 1;
  const query = useInfiniteQuery(childrenQuery(parentId));
  const nodes = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = query.data?.pages.at(-1)?.pagination.total;
  return (
    <ul role="none" className={styles.group}>
      {query.isPending && (
        <li role="none">
          <div className={styles.row} style={rowIndent(level)}>
            <Loader size={16} aria-label={t('common.loading')} />
          </div>
        </li>
      )}
      {query.error && (
        <TreeAction
          id={`${parentId}:again`}
          level={level}
          label={t('organizations.tree.failed')}
          run={() => void query.refetch()}
        />
      )}
      <TreeItems nodes={nodes} path={path} total={total ?? 0} />
      {query.hasNextPage && (
        <TreeAction
          id={`${parentId}:more`}
          level={level}
          label={t('organizations.tree.loadMore', { left: total! - nodes.length })}
          run={() => void query.fetchNextPage()}
        />
      )}
    </ul>
  );
}

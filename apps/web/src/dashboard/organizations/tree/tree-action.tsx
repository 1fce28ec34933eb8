import { Text } from '@mantine/core';
import { onTreeKey } from './tree-keys';
import { rowIndent } from './row-indent';
import { useTreeState } from './tree-state';
import styles from './tree.module.css';

/** A tree item that runs an action on its branch, such as "load more". */
export function TreeAction({ id, level, label, run }: { id: string; level: number; label: string; run: () => void }) {
  const tree = useTreeState();
  return (
    <li role="none">
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={false}
        tabIndex={tree.tabStop === id ? 0 : -1}
        className={`${styles.row} ${styles.action}`}
        style={rowIndent(level)}
        onFocus={() => tree.setTabStop(id)}
        onKeyDown={(event) => onTreeKey(event, { isExpanded: false, canExpand: false, toggle: run, open: run })}
        onClick={run}
      >
        <span className={styles.toggle} aria-hidden />
        <Text size="sm" c="var(--mantine-color-anchor)">
          {label}
        </Text>
      </div>
    </li>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, type HTMLAttributes, useState } from 'react';
import { covers, permissionsQuery } from '../../permissions';
import type { TreeNode } from './tree-query';
import { useTreeState } from './tree-state';

const PERMISSIONS_STALE_MS = 60_000;

type RowAttributes = HTMLAttributes<HTMLElement> & {
  readonly 'data-dragged': boolean | undefined;
  readonly 'data-drop-target': boolean | undefined;
};

/**
 * Returns the attributes of a row that can be dragged onto another row. A drop opens the preview of the move. Root organizations and
 * organizations without the permission `organizations:write` can't be dragged. `path` has the ids of the ancestors.
 */
export function useTreeDrag({ id, parentId }: TreeNode, path: readonly string[]): RowAttributes {
  const { dragged, setDragged } = useTreeState();
  const navigate = useNavigate();
  const [isPointedAt, setPointedAt] = useState(false);
  const [isOver, setOver] = useState(false);
  // Loads the permissions only for rows that the pointer reaches. A tree has many rows.
  const isMovable = parentId !== null;
  const query = { ...permissionsQuery(id), enabled: isMovable && isPointedAt, staleTime: PERMISSIONS_STALE_MS };
  const { data: permissions = [] } = useQuery(query);
  const isDragged = dragged?.id === id;
  const canDrop = dragged !== undefined && !isDragged && dragged.parentId !== id && !path.includes(dragged.id);
  const allowDrop = (event: DragEvent) => {
    if (!canDrop) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setOver(true);
  };
  return {
    draggable: isMovable && covers(permissions, 'organizations:write'),
    onPointerEnter: () => setPointedAt(true),
    onDragStart: (event) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', id);
      setDragged({ id, parentId });
    },
    onDragEnd: () => setDragged(undefined),
    onDragEnter: allowDrop,
    onDragOver: allowDrop,
    onDragLeave: (event) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event) => {
      if (!canDrop) return;
      event.preventDefault();
      setOver(false);
      setDragged(undefined);
      void navigate({ to: '/dashboard/organizations/$org/move', params: { org: dragged.id }, search: { parent: id } });
    },
    'data-dragged': isDragged || undefined,
    'data-drop-target': (isOver && canDrop) || undefined,
  };
}

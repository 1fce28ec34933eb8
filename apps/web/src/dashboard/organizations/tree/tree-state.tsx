import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface TreeState {
  readonly isExpanded: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** The item with `tabIndex` 0 (roving tabindex). */
  readonly tabStop: string | undefined;
  readonly setTabStop: (id: string) => void;
  /** The organization that the user drags. */
  readonly dragged: Dragged | undefined;
  readonly setDragged: (dragged: Dragged | undefined) => void;
}

export interface Dragged {
  readonly id: string;
  readonly parentId: string | null;
}

const TreeContext = createContext<TreeState | undefined>(undefined);

// The expanded items are kept when the user leaves the page.
let lastExpanded: ReadonlySet<string> = new Set();

/** Expands items the next time that a page shows the tree. */
export function expandInTree(ids: readonly string[]): void {
  lastExpanded = new Set([...lastExpanded, ...ids]);
}

/** Provides the expanded items and the focused item. `firstId` is the initial tab stop. */
export function TreeStateProvider({ firstId, children }: { firstId: string | undefined; children: ReactNode }) {
  const [expanded, setExpanded] = useState(lastExpanded);
  const [tabStop, setTabStop] = useState<string>();
  const [dragged, setDragged] = useState<Dragged>();
  const state = useMemo<TreeState>(
    () => ({
      isExpanded: (id) => expanded.has(id),
      toggle: (id) => {
        const next = new Set(expanded);
        if (!next.delete(id)) next.add(id);
        lastExpanded = next;
        setExpanded(next);
        // The previous tab stop can be on a descendant that a collapse hides.
        setTabStop(id);
      },
      tabStop: tabStop ?? firstId,
      setTabStop,
      dragged,
      setDragged,
    }),
    [expanded, tabStop, firstId, dragged],
  );
  return <TreeContext value={state}>{children}</TreeContext>;
}

/** Returns the state of the tree. @throws Error outside a TreeStateProvider */
export function useTreeState(): TreeState {
  const state = useContext(TreeContext);
  if (!state) throw new Error('There is no tree around this component.');
  return state;
}

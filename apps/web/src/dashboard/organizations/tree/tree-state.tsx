import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

interface TreeState {
  readonly isExpanded: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** The one item that the Tab key leads to. */
  readonly tabStop: string | undefined;
  readonly setTabStop: (id: string) => void;
}

const TreeContext = createContext<TreeState | undefined>(undefined);

// Outlives the page, so that whoever comes back finds the tree as they left it.
let lastExpanded: ReadonlySet<string> = new Set();

/** Knows what is open in the tree, and where the keyboard is. `firstId` is where it begins. */
export function TreeStateProvider({ firstId, children }: { firstId: string | undefined; children: ReactNode }) {
  const [expanded, setExpanded] = useState(lastExpanded);
  const [tabStop, setTabStop] = useState<string>();
  const state = useMemo<TreeState>(
    () => ({
      isExpanded: (id) => expanded.has(id),
      toggle: (id) => {
        const next = new Set(expanded);
        if (!next.delete(id)) next.add(id);
        lastExpanded = next;
        setExpanded(next);
        // What was hidden can not keep the focus.
        setTabStop(id);
      },
      tabStop: tabStop ?? firstId,
      setTabStop,
    }),
    [expanded, tabStop, firstId],
  );
  return <TreeContext value={state}>{children}</TreeContext>;
}

/** @throws Error outside a tree */
export function useTreeState(): TreeState {
  const state = useContext(TreeContext);
  if (!state) throw new Error('There is no tree around this component.');
  return state;
}

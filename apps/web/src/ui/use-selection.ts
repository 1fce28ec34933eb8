import { type ChangeEvent, useRef, useState } from 'react';

/** The selected rows of a list, across its pages. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly set: (rows: readonly Row[], isSelected: boolean) => void;
  readonly clear: () => void;
}

/** Holds the selected rows of a list. The selection ends when `listKey` changes, for example a filter, because the rows can be hidden then. */
export function useSelection<Row>(rowId: (row: Row) => string, listKey: string): Selection<Row> {
  const [selected, setSelected] = useState<{ readonly key: string; readonly rows: ReadonlyMap<string, Row> }>(EMPTY);
  const rows = selected.key === listKey ? selected.rows : (EMPTY.rows as ReadonlyMap<string, Row>);
  return {
    rows: [...rows.values()],
    has: (row) => rows.has(rowId(row)),
    set: (changed, isSelected) => {
      const next = new Map(rows);
      for (const row of changed) {
        if (isSelected) next.set(rowId(row), row);
        else next.delete(rowId(row));
      }
      setSelected({ key: listKey, rows: next });
    },
    clear: () => setSelected(EMPTY),
  };
}

/** Returns the handler of the checkboxes of the rows on a page. With Shift, it also selects the rows between the last checkbox and this one. */
export function useRowSelection<Row>(rows: readonly Row[], rowId: (row: Row) => string, selection: Selection<Row> | undefined) {
  const lastId = useRef<string>(undefined);
  return (row: Row, { currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>): void => {
    const index = rows.indexOf(row);
    const last = rows.findIndex((each) => rowId(each) === lastId.current);
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey && last !== -1;
    selection?.set(isRange ? rows.slice(Math.min(index, last), Math.max(index, last) + 1) : [row], currentTarget.checked);
    lastId.current = rowId(row);
  };
}

const EMPTY = { key: '', rows: new Map<string, never>() };

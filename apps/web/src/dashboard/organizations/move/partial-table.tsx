import { Button, Stack, Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../../texts';
import { ScrollTable } from '../../../ui/scroll-table';

const PAGE_SIZE = 50;

interface Props<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Returns a cell for each column. */
  readonly cells: (row: Row) => readonly ReactNode[];
}

/** A table of many rows that shows 50 rows first, and 50 more on request. */
export function PartialTable<Row>({ label, columns, rows, rowId, cells }: Props<Row>) {
  const [shownCount, setShownCount] = useState(PAGE_SIZE);
  return (
    <Stack gap="xs" align="stretch">
      <ScrollTable label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} style={{ whiteSpace: 'nowrap' }}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, shownCount).map((row) => (
            <Table.Tr key={rowId(row)}>
              {cells(row).map((cell, index) => (
                <Table.Td key={columns[index]} style={{ verticalAlign: 'top' }}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
      {rows.length > shownCount && (
        <Button variant="subtle" onClick={() => setShownCount(shownCount + PAGE_SIZE)}>
          {t('organizations.tree.loadMore', { left: rows.length - shownCount })}
        </Button>
      )}
    </Stack>
  );
}

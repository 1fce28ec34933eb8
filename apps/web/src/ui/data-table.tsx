import { Group, Pagination, Paper, Skeleton, Table, Text } from '@mantine/core';
import { type ColumnDef, flexRender, getCoreRowModel, useReactTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { t } from '../texts';
import { ErrorNotice } from './error-notice';
import classes from './data-table.module.css';
import { ScrollTable } from './scroll-table';

/** A page of a list response. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
}

interface Props<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  /** The columns, created with `createColumnHelper`. */
  readonly columns: readonly ColumnDef<Row, never>[];
  readonly rowId: (row: Row) => string;
  /** The result of `useQuery`, best with `placeholderData: keepPreviousData`. */
  readonly query: {
    data?: ListPage<Row>;
    error: unknown;
    isPending: boolean;
    isPlaceholderData?: boolean;
    refetch: () => unknown;
  };
  readonly onPage: (page: number) => void;
  /** Replaces the table when there are no rows. */
  readonly empty: ReactNode;
}

const SKELETON_ROWS = ['1', '2', '3', '4', '5'];

/** Shows a list of the API with its loading, error and empty states and with pagination. */
export function DataTable<Row>({ label, columns, rowId, query, onPage, empty }: Props<Row>) {
  const table = useReactTable<Row>({
    data: (query.data?.data ?? []) as Row[],
    columns: columns as unknown as ColumnDef<Row>[],
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    manualPagination: true,
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data?.pagination.total === 0) return <Paper withBorder>{empty}</Paper>;

  return (
    <>
      <ScrollTable label={label} highlightOnHover isBusy={query.isPending || query.isPlaceholderData}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th key={header.id} style={{ whiteSpace: 'nowrap' }} className={classOf(header.column.id)}>
                  {flexRender(header.column.columnDef.header, header.getContext())}
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {query.isPending
            ? SKELETON_ROWS.map((key) => (
                <Table.Tr key={key}>
                  <Table.Td colSpan={columns.length}>
                    <Skeleton h={18} />
                  </Table.Td>
                </Table.Tr>
              ))
            : table.getRowModel().rows.map((row) => (
                <Table.Tr key={row.id}>
                  {row.getVisibleCells().map((cell) => (
                    <Table.Td key={cell.id} className={classOf(cell.column.id)}>
                      {flexRender(cell.column.columnDef.cell, cell.getContext())}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </ScrollTable>
      {query.data && <Pager {...query.data.pagination} onPage={onPage} />}
    </>
  );
}

/** Returns the class of the cells of a column. The column `actions` stays in view. */
const classOf = (column: string): string | undefined => (column === 'actions' ? classes['actions'] : undefined);

function Pager({ total, page, limit, onPage }: ListPage<unknown>['pagination'] & { onPage: (page: number) => void }) {
  const pages = Math.max(1, Math.ceil(total / limit));
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('common.total', { count: total })} · {t('common.pageOf', { page, pages })}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={onPage}
          size="sm"
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('common.next') : t('common.previous') })}
        />
      )}
    </Group>
  );
}

import { Checkbox, Group, NativeSelect, Pagination, Paper, Skeleton, Table, Text } from '@mantine/core';
import { type ColumnDef, flexRender, getCoreRowModel, type Header, type RowData, useReactTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { t } from '../texts';
import { ErrorNotice } from './error-notice';
import classes from './data-table.module.css';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from './paging';
import { ScrollTable } from './scroll-table';
import { SortButton } from './sort-button';
import { type Selection, useRowSelection } from './use-selection';

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** The sort orders of the API for this column: of the first click, and of the second. */
    readonly sorts?: readonly [string, string];
  }
}

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
  /** Offers other page sizes. */
  readonly onLimit?: (limit: number) => void;
  /** The sort order. Columns with `meta.sorts` have a button in their head. */
  readonly sort?: { readonly value: string; readonly onSort: (sort: string) => void };
  /** Adds a checkbox to each row. `rowName` is its accessible name. */
  readonly selection?: Selection<Row> & { readonly rowName: (row: Row) => string };
  /** Replaces the table when there are no rows. */
  readonly empty: ReactNode;
}

const SKELETON_ROWS = ['1', '2', '3', '4', '5'];

/** Shows a list of the API with its loading, error and empty states, pagination and, if asked, sorting and selection. */
export function DataTable<Row>({ label, columns, rowId, query, onPage, onLimit, sort, selection, empty }: Props<Row>) {
  const table = useReactTable<Row>({
    data: (query.data?.data ?? []) as Row[],
    columns: columns as unknown as ColumnDef<Row>[],
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    manualPagination: true,
  });
  const rows = table.getRowModel().rows.map(({ original }) => original);
  const onSelect = useRowSelection(rows, rowId, selection);
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data?.pagination.total === 0) return <Paper withBorder>{empty}</Paper>;
  return (
    <>
      <ScrollTable label={label} highlightOnHover isBusy={query.isPending || query.isPlaceholderData}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {selection && <SelectPage rows={rows} selection={selection} />}
              {group.headers.map((header) => (
                <Head key={header.id} header={header} sort={sort} />
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {query.isPending
            ? SKELETON_ROWS.map((key) => (
                <Table.Tr key={key}>
                  <Table.Td colSpan={columns.length + (selection ? 1 : 0)}>
                    <Skeleton h={18} />
                  </Table.Td>
                </Table.Tr>
              ))
            : table.getRowModel().rows.map((row) => (
                <Table.Tr
                  key={row.id}
                  data-selected={selection?.has(row.original) || undefined}
                  bg={selection?.has(row.original) ? 'var(--mantine-primary-color-light)' : undefined}
                >
                  {selection && <SelectRow row={row.original} selection={selection} onSelect={onSelect} />}
                  {row.getVisibleCells().map((cell) => (
                    <Table.Td key={cell.id} className={classOf(cell.column.id)}>
                      {flexRender(cell.column.columnDef.cell, cell.getContext())}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
        </Table.Tbody>
      </ScrollTable>
      {query.data && <Pager {...query.data.pagination} onPage={onPage} onLimit={onLimit} />}
    </>
  );
}

/** The head of a column, with a button if the list can be sorted by the column. */
function Head<Row>({ header, sort }: { header: Header<Row, unknown>; sort: Props<Row>['sort'] }) {
  const { columnDef, id } = header.column;
  const head = flexRender(columnDef.header, header.getContext());
  const sorts = sort && columnDef.meta?.sorts;
  return (
    <Table.Th style={{ whiteSpace: 'nowrap' }} className={classOf(id)} aria-sort={sorts && ariaSortOf(sorts, sort.value)}>
      {sorts ? <SortButton label={head} sorts={sorts} {...sort} /> : head}
    </Table.Th>
  );
}

/** The checkbox in the head, which selects the rows of the page. */
function SelectPage<Row>({ rows, selection }: { rows: readonly Row[]; selection: Selection<Row> }) {
  const selectedCount = rows.filter(selection.has).length;
  return (
    <Table.Th w={40}>
      <Checkbox
        checked={rows.length > 0 && selectedCount === rows.length}
        indeterminate={selectedCount > 0 && selectedCount < rows.length}
        onChange={(event) => selection.set(rows, event.currentTarget.checked)}
        aria-label={t('common.selectPage')}
      />
    </Table.Th>
  );
}

interface SelectRowProps<Row> {
  readonly row: Row;
  readonly selection: NonNullable<Props<Row>['selection']>;
  readonly onSelect: ReturnType<typeof useRowSelection<Row>>;
}

function SelectRow<Row>({ row, selection, onSelect }: SelectRowProps<Row>) {
  return (
    <Table.Td>
      <Checkbox
        checked={selection.has(row)}
        onChange={(event) => onSelect(row, event)}
        aria-label={t('common.select', { name: selection.rowName(row) })}
      />
    </Table.Td>
  );
}

function ariaSortOf(sorts: readonly string[], value: string): 'ascending' | 'descending' | 'none' {
  if (!sorts.includes(value)) return 'none';
  return value.startsWith('-') ? 'descending' : 'ascending';
}

/** Returns the class of the cells of a column. The column `actions` stays in view. */
const classOf = (column: string): string | undefined => (column === 'actions' ? classes['actions'] : undefined);

interface PagerProps extends Pick<Props<unknown>, 'onPage' | 'onLimit'> {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

function Pager({ total, page, limit, onPage, onLimit }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit));
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('common.total', { count: total })} · {t('common.pageOf', { page, pages })}
      </Text>
      <Group gap="sm">
        {onLimit && total > DEFAULT_PAGE_SIZE && (
          <NativeSelect
            aria-label={t('common.pageSize')}
            data={PAGE_SIZES.map((value) => ({ value: String(value), label: t('common.perPage', { count: value }) }))}
            value={String(limit)}
            onChange={(event) => onLimit(Number(event.currentTarget.value))}
            size="xs"
          />
        )}
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
    </Group>
  );
}

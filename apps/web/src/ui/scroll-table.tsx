import { Paper, ScrollArea, Table, type TableProps } from '@mantine/core';

interface Props extends TableProps {
  /** The accessible name of the table. */
  readonly label: string;
  /** Whether new rows are loading. */
  readonly isBusy?: boolean;
}

/** A bordered table that scrolls horizontally, also by keyboard. */
export function ScrollTable({ label, isBusy, ...table }: Props) {
  return (
    <Paper withBorder aria-busy={isBusy}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={label} {...table} />
      </ScrollArea>
    </Paper>
  );
}

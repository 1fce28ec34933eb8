import { Paper, ScrollArea, Table, type TableProps } from '@mantine/core';

interface Props extends TableProps {
  /** What the rows are, for screen readers. */
  readonly label: string;
  /** Whether what is shown is about to be replaced. */
  readonly isBusy?: boolean;
}

/** A framed table that scrolls in itself where it is wider than the page, by the keyboard too. */
export function ScrollTable({ label, isBusy, ...table }: Props) {
  return (
    <Paper withBorder aria-busy={isBusy}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'region' }}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label={label} {...table} />
      </ScrollArea>
    </Paper>
  );
}

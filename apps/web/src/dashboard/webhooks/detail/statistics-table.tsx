import { Button, Collapse, Paper, ScrollArea, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TableIcon } from '@primer/octicons-react';
import { useId } from 'react';
import { t } from '../../../texts';
import type { Statistics } from '../webhook-queries';
import { intervalName, milliseconds } from './statistics-charts';

/** Shows the numbers of the charts as a table, for screen readers and for copying. */
export function StatisticsTable({ buckets, interval }: Pick<Statistics, 'buckets' | 'interval'>) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        size="xs"
        leftSection={<TableIcon size={14} />}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        {t('webhooks.overview.asTable')}
      </Button>
      <Collapse expanded={isOpen} id={id} keepMounted={false}>
        <Paper withBorder mt="xs">
          <ScrollArea.Autosize
            mah={360}
            type="auto"
            viewportProps={{ tabIndex: 0, 'aria-label': t('webhooks.overview.asTable'), role: 'region' }}
          >
            <Table stickyHeader aria-label={t('webhooks.overview.asTable')}>
              <Table.Thead>
                <Table.Tr>
                  {[
                    t('webhooks.overview.time'),
                    t('webhooks.overview.succeeded'),
                    t('webhooks.overview.failed'),
                    t('webhooks.overview.p50'),
                    t('webhooks.overview.p95'),
                  ].map((name) => (
                    <Table.Th key={name}>{name}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {buckets.toReversed().map(({ start, succeeded, failed, responseTime }) => (
                  <Table.Tr key={start}>
                    <Table.Th scope="row" fw={400}>
                      {intervalName(start, interval, false)}
                    </Table.Th>
                    <Table.Td>{t('common.total', { count: succeeded })}</Table.Td>
                    <Table.Td>{t('common.total', { count: failed })}</Table.Td>
                    <Table.Td>{milliseconds(responseTime.p50)}</Table.Td>
                    <Table.Td>{milliseconds(responseTime.p95)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
        </Paper>
      </Collapse>
    </div>
  );
}

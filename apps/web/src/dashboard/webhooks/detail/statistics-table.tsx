import { Button, Collapse, Paper, ScrollArea, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTable } from '@tabler/icons-react';
import { useId } from 'react';
import { texts } from '../../../texts';
import type { Statistics } from '../webhook-queries';
import { intervalName } from './statistics-charts';

const words = texts.webhooks.overview;

/** The numbers of the charts, for whoever does not see them or wants to copy them. */
export function StatisticsTable({ buckets, interval }: Pick<Statistics, 'buckets' | 'interval'>) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconTable size={14} aria-hidden />}
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        {words.asTable}
      </Button>
      <Collapse expanded={isOpen} id={id} keepMounted={false}>
        <Paper withBorder mt="xs">
          <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': words.asTable, role: 'region' }}>
            <Table stickyHeader aria-label={words.asTable}>
              <Table.Thead>
                <Table.Tr>
                  {[words.time, words.succeeded, words.failed, words.p50, words.p95].map((name) => (
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
                    <Table.Td>{texts.common.total(succeeded)}</Table.Td>
                    <Table.Td>{texts.common.total(failed)}</Table.Td>
                    <Table.Td>{words.milliseconds(responseTime.p50)}</Table.Td>
                    <Table.Td>{words.milliseconds(responseTime.p95)}</Table.Td>
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

import { Anchor, Badge, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldMessage } from '../../api/problem';
import { t } from '../../texts';
import { download } from '../../ui/download';
import { ScrollTable } from '../../ui/scroll-table';
import { StatusBadge } from '../../ui/status-badge';
import { type ImportOutcome, outcomesCsv } from './import-users';

const KINDS = ['created', 'updated', 'unchanged', 'failed'] as const;
const ROWS_SHOWN = 200;

interface Props {
  readonly org: string;
  readonly outcomes: readonly ImportOutcome[];
  readonly isRunning: boolean;
  readonly isPreview: boolean;
}

const countsOf = (isPreview: boolean) => (isPreview ? 'userImport.previewCounts' : 'userImport.counts');

export function ImportOutcomes({ org, outcomes, isRunning, isPreview }: Props) {
  const [shows, setShows] = useState<'failed' | 'all'>('failed');
  const shownOutcomes = shows === 'failed' ? outcomes.filter(({ status }) => status === 'failed') : outcomes;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, xs: 4 }}>
        {KINDS.map((kind) => (
          <Paper key={kind} withBorder p="sm">
            <Text size="xs" c="dimmed">
              {t(`${countsOf(isPreview)}.${kind}`)}
            </Text>
            <Text fw={650} size="xl">
              {t('common.total', { count: outcomes.filter(({ status }) => status === kind).length })}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Title order={2}>{t('userImport.outcomes')}</Title>
        <Button
          variant="default"
          leftSection={<DownloadIcon size={16} />}
          disabled={isRunning}
          onClick={() => download(outcomesCsv(outcomes), 'import-outcomes.csv', 'text/csv;charset=utf-8')}
        >
          {t('userImport.download')}
        </Button>
      </Group>
      <SegmentedControl
        aria-label={t('userImport.show')}
        value={shows}
        onChange={setShows}
        data={[
          { value: 'failed', label: t('userImport.showFailed') },
          { value: 'all', label: t('userImport.showAll') },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {shownOutcomes.length === 0 ? (
        <Text size="sm">{t('userImport.noFailed')}</Text>
      ) : (
        <OutcomeTable org={org} outcomes={shownOutcomes.slice(0, ROWS_SHOWN)} isPreview={isPreview} />
      )}
      {shownOutcomes.length > ROWS_SHOWN && (
        <Text size="sm" c="dimmed">
          {t('userImport.shownOf', { shown: ROWS_SHOWN, all: shownOutcomes.length })}
        </Text>
      )}
    </Stack>
  );
}

function OutcomeTable({ org, outcomes, isPreview }: Omit<Props, 'isRunning'>) {
  const counts = countsOf(isPreview);
  return (
    <ScrollTable label={t('userImport.outcomes')} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('userImport.line')}</Table.Th>
          <Table.Th>{t('userImport.outcome')}</Table.Th>
          <Table.Th>{t('userImport.reason')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {outcomes.map(({ line, status, id, error }) => (
          <Table.Tr key={line}>
            <Table.Td>{line}</Table.Td>
            <Table.Td>
              {status === 'failed' ? (
                <StatusBadge status="failed" label={t(`${counts}.failed`)} />
              ) : (
                <Badge variant="default" tt="none">
                  {t(`${counts}.${status}`)}
                </Badge>
              )}
            </Table.Td>
            <Table.Td className="breakable">
              {error && fieldMessage(error)}
              {id && (
                <Anchor component={Link} to={`/dashboard/organizations/${org}/users/${id}`} size="sm">
                  {t('userImport.openUser')}
                </Anchor>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

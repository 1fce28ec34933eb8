import { Alert, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { AlertIcon, CheckCircleIcon } from '@primer/octicons-react';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { StatusBadge } from '../../../ui/status-badge';
import type { BatchResults } from './run-batch';

interface Props {
  /** The items with their names, by id. */
  readonly items: readonly { readonly id: string; readonly name: string; readonly detail?: string }[];
  readonly results: BatchResults;
  readonly onClose: () => void;
}

/** Shows the result of each item, those that failed first. */
export function BulkResults({ items, results, onClose }: Props) {
  const rows = items.map((item) => ({ ...item, problem: results.get(item.id)?.problem }));
  const failed = rows.filter(({ problem }) => problem);
  const succeeded = rows.filter(({ problem }) => !problem);
  return (
    <Stack>
      <Alert
        color={failed.length === 0 ? 'green' : 'yellow'}
        icon={failed.length === 0 ? <CheckCircleIcon size={20} /> : <AlertIcon size={20} />}
        role="status"
      >
        {t('users.bulk.summary', { succeeded: succeeded.length, failed: failed.length })}
      </Alert>
      <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': t('users.bulk.results'), role: 'region' }}>
        <Table aria-label={t('users.bulk.results')} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('users.columns.user')}</Table.Th>
              <Table.Th>{t('users.bulk.result')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...failed, ...succeeded].map((row) => (
              <ResultRow key={row.id} {...row} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface ResultProps {
  readonly name: string;
  readonly detail?: string | undefined;
  readonly problem: { readonly status: number; readonly code: string } | undefined;
}

function ResultRow({ name, detail, problem }: ResultProps) {
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        <Text size="sm">{name}</Text>
        {detail !== undefined && detail !== name && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="breakable">
        {problem ? (
          <Stack gap={4} align="flex-start">
            <StatusBadge status="failed" label={t('users.bulk.failed')} />
            <Text size="sm">{reasonOf(problem)}</Text>
          </Stack>
        ) : (
          <StatusBadge status="succeeded" label={t('users.bulk.done')} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function reasonOf(problem: { readonly status: number; readonly code: string }): string {
  if (problem.code === 'reauthentication_required') return t('errors.reauthenticationNeeded');
  if (problem.code === 'managed_by_scim') return t('errors.managedByScim');
  return ApiProblem.of(problem.status, problem).message;
}

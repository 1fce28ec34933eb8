import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { SyncIcon, TrashIcon } from '@primer/octicons-react';
import { unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { CopyField } from '../../../ui/copy-field';
import { ErrorNotice } from '../../../ui/error-notice';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type Domain, type DomainScope, domainsKey } from './domain-queries';

interface Props extends DomainScope {
  readonly domain: Domain;
  readonly canWrite: boolean;
  readonly headingOrder: 2 | 3;
}

/** Shows a domain with its DNS record, the result of the last check, and the actions. */
export function DomainCard({ domain, canWrite, headingOrder, ...scope }: Props) {
  const { unicodeName, status, checkedAt, verifiedAt } = domain;
  return (
    <Paper withBorder p="md" component="section" aria-label={unicodeName}>
      <Stack gap="sm">
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            <Title order={headingOrder} size="h3" className="breakable">
              {unicodeName}
            </Title>
            <StatusBadge status={status} label={t(`domains.statuses.${status}`)} />
          </Group>
          {canWrite && <Actions {...scope} domain={domain} />}
        </Group>
        <div role="status">
          <CheckResult domain={domain} />
        </div>
        <DnsRecord domain={domain} />
        <Text size="xs" c="dimmed" component="div">
          {verifiedAt !== null && (
            <>
              {t('domains.verifiedAt')} <RelativeTime at={verifiedAt} />.{' '}
            </>
          )}
          {checkedAt === null ? (
            t('domains.notChecked')
          ) : (
            <>
              {t('domains.checkedAt')} <RelativeTime at={checkedAt} />.
            </>
          )}
        </Text>
      </Stack>
    </Paper>
  );
}

function Actions({ client, org, domain: { id, unicodeName } }: DomainScope & { domain: Domain }) {
  const params = { path: { org, id } };
  const verify = useApiMutation({
    mutationFn: async () => (await unwrap(client.POST('/v1/organizations/{org}/domains/{id}/verify', { params }))).data,
    invalidates: [domainsKey(org)],
  });
  const remove = useApiMutation({
    mutationFn: () => unwrap(client.DELETE('/v1/organizations/{org}/domains/{id}', { params })),
    invalidates: [domainsKey(org)],
    successMessage: t('domains.deleted', { name: unicodeName }),
  });
  const openConfirmation = () =>
    confirm({
      title: t('domains.deleteTitle', { name: unicodeName }),
      consequences: t('domains.deleteText'),
      confirmLabel: t('domains.delete'),
      isDangerous: true,
      action: () => remove.mutateAsync(),
    });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<SyncIcon size={14} />}
          loading={verify.isPending}
          onClick={() => verify.mutate()}
          aria-label={t('domains.verifyOf', { name: unicodeName })}
        >
          {t('domains.verify')}
        </Button>
        <Button
          size="xs"
          variant="light"
          color="red"
          leftSection={<TrashIcon size={14} />}
          onClick={openConfirmation}
          aria-label={t('domains.deleteOf', { name: unicodeName })}
        >
          {t('domains.delete')}
        </Button>
      </Group>
      {verify.error && <ErrorNotice error={verify.error} />}
    </Stack>
  );
}

function CheckResult({ domain: { name, unicodeName, status, lastError } }: { domain: Domain }) {
  return (
    <Stack gap={4}>
      <Text size="sm">{t(`domains.meanings.${status}`)}</Text>
      {lastError !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t(`domains.problems.${lastError}`)}
        </Text>
      )}
      {name !== unicodeName && (
        <Text size="sm" c="dimmed">
          {t('domains.ascii', { name })}
        </Text>
      )}
    </Stack>
  );
}

function DnsRecord({ domain: { record } }: { domain: Domain }) {
  const rows = [
    [t('domains.recordName'), record.name],
    [t('domains.recordValue'), record.value],
  ] as const;
  return (
    <Table withRowBorders={false} verticalSpacing={4} aria-label={t('domains.record')}>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th w={90}>{t('domains.recordType')}</Table.Th>
          <Table.Td>{record.type}</Table.Td>
        </Table.Tr>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th>{label}</Table.Th>
            <Table.Td>
              <CopyField value={value} label={label} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

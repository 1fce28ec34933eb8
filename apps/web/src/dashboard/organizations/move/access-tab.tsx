import { Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import { ShieldCheckIcon } from '@primer/octicons-react';
import { roleName } from '../../../api/role-name';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import { ALL_PERMISSIONS } from '../../access/permission-patterns';
import type { Move } from './move';
import { PartialTable } from './partial-table';

type Change = Move['permissions']['gained'][number];

/** Lists the users and API keys that gain or lose permissions in the moved organizations. */
export function AccessTab({ move: { permissions } }: { move: Move }) {
  if (permissions.gained.length + permissions.lost.length === 0)
    return (
      <EmptyState icon={ShieldCheckIcon} title={t('organization.move.access.emptyTitle')}>
        {t('organization.move.access.empty')}
      </EmptyState>
    );
  return (
    <Stack gap="lg">
      <Changes
        title={t('organization.move.access.gained')}
        none={t('organization.move.access.noneGained')}
        rows={permissions.gained}
      />
      <Changes title={t('organization.move.access.lost')} none={t('organization.move.access.noneLost')} rows={permissions.lost} />
    </Stack>
  );
}

function Changes({ title, none, rows }: { title: string; none: string; rows: readonly Change[] }) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{none}</Text>
      ) : (
        <PartialTable<Change>
          label={title}
          columns={[
            t('organization.move.access.holder'),
            t('organization.move.access.permissions'),
            t('organization.move.access.because'),
          ]}
          rows={rows}
          rowId={({ id }) => id}
          cells={(change) => [
            <Holder key="holder" change={change} />,
            <Permissions key="permissions" permissions={change.permissions} />,
            <Stack key="because" gap={2} miw={180}>
              {change.because.map((grant) => (
                <Text key={JSON.stringify(grant)} size="sm" className="breakable">
                  {grantText(grant)}
                </Text>
              ))}
            </Stack>,
          ]}
        />
      )}
    </section>
  );
}

const Holder = ({ change: { type, id, name } }: { change: Change }) => (
  <Stack gap={0} miw={160}>
    {name === null ? (
      <Code className="breakable">{id}</Code>
    ) : (
      <Text size="sm" className="breakable">
        {name}
      </Text>
    )}
    <Text size="xs" c="dimmed">
      {t(`organization.move.access.types.${type}`)}
    </Text>
  </Stack>
);

function Permissions({ permissions }: { permissions: readonly string[] }) {
  if (permissions.includes(ALL_PERMISSIONS))
    return (
      <Badge variant="light" color="orange" tt="none" autoContrast miw="max-content">
        {t('roles.everything')}
      </Badge>
    );
  return (
    <Group gap={4} miw={220}>
      {permissions.map((permission) => (
        <Code key={permission}>{permission}</Code>
      ))}
    </Group>
  );
}

function grantText({ source, roleName: name = '', organizationName: organization }: Change['because'][number]): string {
  const role = roleName(name);
  if (source === 'api_key') return t('organization.move.access.fromKey', { organization });
  if (source === 'oauth_client') return t('organization.move.access.fromClient', { organization });
  if (source === 'break_glass') return t('organization.move.access.fromBreakGlass', { role, organization });
  if (source === 'group') return t('organization.move.access.fromGroup', { role, organization });
  return t('organization.move.access.fromRole', { role, organization });
}

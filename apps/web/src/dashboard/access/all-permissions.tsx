import { Anchor, Badge, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { CheckIcon, DashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { ScrollTable } from '../../ui/scroll-table';
import { useOrganizationName } from './organization-name';
import { servicePermissionsQuery } from './role-queries';
import { nameOf } from './user-picker';

interface Props {
  readonly org: string;
  readonly user: Schema<'UserResponse'>;
  readonly onExplain: (permission: string) => void;
}

export function AllPermissions({ org, user, onExplain }: Props) {
  const { data: servicePermissions } = useQuery(servicePermissionsQuery);
  const { data: results, error } = useQuery({
    queryKey: ['permission-check', org, user.id, 'all'],
    queryFn: async () => {
      const checks = (servicePermissions ?? []).map(({ name }) => ({ userId: user.id, permission: name }));
      const call = api.POST('/v1/organizations/{org}/permissions/check/batch', { params: { path: { org } }, body: { checks } });
      return (await unwrap(call)).data;
    },
    enabled: servicePermissions !== undefined,
  });
  if (error) return <ErrorNotice error={error} />;
  return (
    <Stack gap="sm">
      <Title order={2}>{t('permissionChecks.allTitle', { user: nameOf(user) })}</Title>
      {!servicePermissions || !results ? (
        <Skeleton h={400} />
      ) : (
        <ScrollTable label={t('permissionChecks.allLabel')} verticalSpacing="xs" highlightOnHover miw={640}>
          <Table.Thead>
            <Table.Tr>
              {[t('permissionChecks.permission'), t('permissionChecks.answer'), t('permissionChecks.why')].map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {servicePermissions.map(({ name, description }, index) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Anchor
                    component="button"
                    ff="monospace"
                    size="sm"
                    onClick={() => onExplain(name)}
                    aria-label={t('permissionChecks.explain', { permission: name })}
                  >
                    {name}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {description}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Verdict isAllowed={results[index]?.allowed ?? false} />
                </Table.Td>
                <Table.Td>
                  <Reasons because={results[index]?.because ?? []} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
    </Stack>
  );
}

function Verdict({ isAllowed }: { isAllowed: boolean }) {
  return (
    <Badge
      color={isAllowed ? 'green' : 'gray'}
      variant="light"
      tt="none"
      autoContrast
      leftSection={isAllowed ? <CheckIcon size={12} /> : <DashIcon size={12} />}
    >
      {isAllowed ? t('common.yes') : t('common.no')}
    </Badge>
  );
}

function Reasons({ because }: { because: readonly Schema<'GrantingRoleResponse'>[] }) {
  const nameOfOrganization = useOrganizationName();
  return (
    <Group gap={4}>
      <Text size="sm" className="breakable">
        {because
          .map(({ roleName, organizationId, source }) =>
            source === 'break_glass'
              ? t('permissionChecks.throughBreakGlass', { role: roleName })
              : t('permissionChecks.through', { role: roleName, organization: nameOfOrganization(organizationId) }),
          )
          .join('; ')}
      </Text>
    </Group>
  );
}

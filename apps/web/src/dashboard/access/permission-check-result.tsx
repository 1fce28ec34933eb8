import { Anchor, Group, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CheckCircleIcon, XCircleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { covers } from '../permissions';
import { GrantedChain, DeniedChain } from './permission-chain';
import { rolesQuery } from './role-queries';
import { nameOf } from './user-picker';

interface Props {
  readonly org: string;
  readonly user: Schema<'UserResponse'>;
  readonly permission: string;
}

export function PermissionCheckResult({ org, user, permission }: Props) {
  const { data: check, error } = useQuery({
    queryKey: ['permission-check', org, user.id, permission],
    queryFn: async () => {
      const body = { userId: user.id, permission };
      return (await unwrap(api.POST('/v1/organizations/{org}/permissions/check', { params: { path: { org } }, body }))).data;
    },
  });
  if (error) return <ErrorNotice error={error} />;
  if (!check) return <Skeleton h={160} />;
  const Icon = check.allowed ? CheckCircleIcon : XCircleIcon;
  const verdict = check.allowed ? 'permissionChecks.allowed' : 'permissionChecks.denied';
  return (
    <Paper withBorder p="md" role="status">
      <Stack>
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon color={check.allowed ? 'green' : 'red'} variant="light" radius="xl" aria-hidden>
            <Icon size={20} />
          </ThemeIcon>
          <Title order={2} className="breakable">
            {t(verdict, { user: nameOf(user), permission })}
          </Title>
        </Group>
        {check.because.map((grant, index) => (
          <Stack gap={4} key={`${grant.roleId}${grant.organizationId}${grant.source}`}>
            <Text size="sm" fw={600}>
              {t('permissionChecks.chain', { number: index + 1, of: check.because.length })}
            </Text>
            <GrantedChain user={user} grant={grant} permission={permission} />
          </Stack>
        ))}
        {!check.allowed && <DeniedChain user={user} refusal={check.refusal} permission={permission} />}
        {check.refusal === 'not_granted' && <GrantingRoles org={org} permission={permission} />}
      </Stack>
    </Paper>
  );
}

function GrantingRoles({ org, permission }: { org: string; permission: string }) {
  const { data: roles } = useQuery(rolesQuery(org));
  const allowing = (roles?.data ?? []).filter(({ permissions }) => covers(permissions, permission));
  if (!roles) return null;
  if (allowing.length === 0) return <Text size="sm">{t('permissionChecks.noRoleAllows')}</Text>;
  return (
    <Group gap="xs">
      <Text size="sm">{t('permissionChecks.wouldAllow')}</Text>
      {allowing.map(({ id, name }) => (
        <Anchor key={id} component={Link} to={`/dashboard/organizations/${org}/roles/${id}`} size="sm" underline="always">
          {name}
        </Anchor>
      ))}
    </Group>
  );
}

import { Anchor, Group, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { CheckCircleIcon, XCircleIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { asOfKey } from '../as-of/as-of-search';
import { PresentError } from '../as-of/present-error';
import { covers } from '../permissions';
import { GrantedChain, DeniedChain } from './permission-chain';
import { rolesQuery } from './role-queries';
import { nameOf, userQuery } from './user-picker';

interface Props {
  readonly org: string;
  readonly userId: string;
  readonly permission: string;
  /** The past moment of the check. Undefined checks the present. */
  readonly asOf: string | undefined;
}

export function PermissionCheckResult({ org, userId, permission, asOf }: Props) {
  const { data: user, error: userError } = useQuery(userQuery(org, userId, asOf));
  const { data: check, error } = useQuery({
    queryKey: ['permission-check', org, userId, permission, ...asOfKey(asOf)],
    queryFn: async () => {
      const body = { userId, permission };
      const params = { path: { org }, query: { asOf } };
      return (await unwrap(api.POST('/v1/organizations/{org}/permissions/check', { params, body }))).data;
    },
  });
  if (userError) return <PresentError error={userError} />;
  if (error) return <ErrorNotice error={error} />;
  if (!check || !user) return <Skeleton h={160} />;
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
          <Stack gap={4} key={`${grant.roleId}${grant.organizationId}${grant.source}${grant.group?.id}`}>
            <Text size="sm" fw={600}>
              {t('permissionChecks.chain', { number: index + 1, of: check.because.length })}
            </Text>
            <GrantedChain user={user} grant={grant} permission={permission} asOf={asOf} />
          </Stack>
        ))}
        {!check.allowed && <DeniedChain user={user} refusal={check.refusal} permission={permission} asOf={asOf} />}
        {check.refusal === 'not_granted' && asOf === undefined && <GrantingRoles org={org} permission={permission} />}
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

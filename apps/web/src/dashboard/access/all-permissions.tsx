import { Anchor, Badge, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { CheckIcon, DashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { ScrollTable } from '../../ui/scroll-table';
import { asOfKey } from '../as-of/as-of-search';
import { formatAsOf } from '../as-of/format-moment';
import { PresentError } from '../as-of/present-error';
import { useAsOf } from '../as-of/use-as-of';
import { useOrganizationName } from './organization-name';
import { servicePermissionsQuery } from './role-queries';
import { nameOf } from './user-picker';

type Check = Schema<'PermissionAnswerResponse'>;

interface Props {
  readonly org: string;
  readonly user: Schema<'UserResponse'>;
  readonly onExplain: (permission: string) => void;
}

/** Checks all permissions of the service; with a comparison, as of the past moment and now. */
export function AllPermissions({ org, user, onExplain }: Props) {
  const { asOf, isComparing } = useAsOf();
  const { data: servicePermissions } = useQuery(servicePermissionsQuery);
  const { data: results, error } = useAllChecks(org, user.id, asOf);
  const present = useAllChecks(org, user.id, undefined, isComparing);
  const headings =
    asOf !== undefined && isComparing
      ? [formatAsOf(asOf), t('permissionChecks.why'), t('asOf.now'), t('asOf.whyNow')]
      : [t('permissionChecks.answer'), t('permissionChecks.why')];
  if (error) return <ErrorNotice error={error} />;
  return (
    <Stack gap="sm">
      <Title order={2}>{t('permissionChecks.allTitle', { user: nameOf(user) })}</Title>
      {isComparing && present.error && <PresentError error={present.error} />}
      {!servicePermissions || !results ? (
        <Skeleton h={400} />
      ) : (
        <ScrollTable label={t('permissionChecks.allLabel')} verticalSpacing="xs" highlightOnHover miw={isComparing ? 900 : 640}>
          <Table.Thead>
            <Table.Tr>
              {[t('permissionChecks.permission'), ...headings].map((heading) => (
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
                <Answer check={results[index]} asOf={asOf} />
                {isComparing && <Answer check={present.data?.[index]} past={results[index]} asOf={undefined} />}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
    </Stack>
  );
}

function useAllChecks(org: string, userId: string, asOf: string | undefined, isEnabled = true) {
  const { data: servicePermissions } = useQuery(servicePermissionsQuery);
  return useQuery({
    queryKey: ['permission-check', org, userId, 'all', ...asOfKey(asOf)],
    queryFn: async () => {
      const checks = (servicePermissions ?? []).map(({ name }) => ({ userId, permission: name }));
      const params = { path: { org }, query: { asOf } };
      return (await unwrap(api.POST('/v1/organizations/{org}/permissions/check/batch', { params, body: { checks } }))).data;
    },
    enabled: isEnabled && servicePermissions !== undefined,
  });
}

interface AnswerProps {
  /** Undefined while the check loads. */
  readonly check: Check | undefined;
  /** The check as of a past moment, to compare with. */
  readonly past?: Check;
  readonly asOf: string | undefined;
}

/** The cells of a check: whether the permission is allowed, and why. */
function Answer({ check, past, asOf }: AnswerProps) {
  const isChanged = check !== undefined && past !== undefined && check.allowed !== past.allowed;
  return (
    <>
      <Table.Td>
        {check && (
          <Group gap={4}>
            <Verdict isAllowed={check.allowed} />
            {isChanged && (
              <Badge color="yellow" variant="light" tt="none" autoContrast>
                {t('asOf.changed')}
              </Badge>
            )}
          </Group>
        )}
      </Table.Td>
      <Table.Td>
        <Reasons because={check?.because ?? []} asOf={asOf} />
      </Table.Td>
    </>
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

function Reasons({ because, asOf }: { because: readonly Schema<'GrantingRoleResponse'>[]; asOf: string | undefined }) {
  const nameOfOrganization = useOrganizationName(asOf);
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

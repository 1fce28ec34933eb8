import { Anchor, Badge, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { CheckIcon, DashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { ScrollTable } from '../../ui/scroll-table';
import { asOfKey } from '../as-of/as-of-search';
import { formatAsOf } from '../as-of/format-moment';
import { PresentError } from '../as-of/present-error';
import { useAsOf } from '../as-of/use-as-of';
import { useOrganizationName } from './organization-name';
import { resourceName, resourceOf } from './permission-patterns';
import { useAllPermissions } from './role-queries';
import { nameOf } from './user-picker';

type Check = Schema<'PermissionAnswerResponse'>;

/** The maximum number of checks of one request. */
const CHECKS_MAX = 100;

interface Props {
  readonly org: string;
  readonly user: Schema<'UserResponse'>;
  readonly onExplain: (permission: string) => void;
}

/** Checks all permissions, by resource; with a comparison, as of the past moment and now. */
export function AllPermissions({ org, user, onExplain }: Props) {
  const { asOf, isComparing } = useAsOf();
  const permissions = useAllPermissions(org);
  const { data: results, error } = useAllChecks(org, user.id, permissions, asOf);
  const present = useAllChecks(org, user.id, permissions, undefined, isComparing);
  const headings =
    asOf !== undefined && isComparing
      ? [formatAsOf(asOf), t('permissionChecks.why'), t('asOf.now'), t('asOf.whyNow')]
      : [t('permissionChecks.answer'), t('permissionChecks.why')];
  if (error) return <ErrorNotice error={error} />;
  return (
    <Stack gap="sm">
      <Title order={2}>{t('permissionChecks.allTitle', { user: nameOf(user) })}</Title>
      {isComparing && present.error && <PresentError error={present.error} />}
      {!permissions || !results ? (
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
            {permissions.map(({ name, description }, index) => (
              <Fragment key={name}>
                {resourceOf(name) !== resourceOf(permissions[index - 1]?.name ?? '') && (
                  <Table.Tr>
                    <Table.Th colSpan={headings.length + 1} scope="rowgroup">
                      {resourceName(resourceOf(name))}
                    </Table.Th>
                  </Table.Tr>
                )}
                <Table.Tr>
                  <Table.Td>
                    <PermissionName name={name} description={description} onExplain={onExplain} />
                  </Table.Td>
                  <Answer check={results.get(name)} asOf={asOf} />
                  {isComparing && <Answer check={present.data?.get(name)} past={results.get(name)} asOf={undefined} />}
                </Table.Tr>
              </Fragment>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
    </Stack>
  );
}

interface PermissionProps {
  readonly name: string;
  readonly description: string;
  readonly onExplain: (permission: string) => void;
}

function PermissionName({ name, description, onExplain }: PermissionProps) {
  return (
    <>
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
    </>
  );
}

/** Checks the permissions. Returns the results by permission. */
function useAllChecks(
  org: string,
  userId: string,
  permissions: readonly { name: string }[] | undefined,
  asOf: string | undefined,
  isEnabled = true,
) {
  const names = permissions?.map(({ name }) => name) ?? [];
  return useQuery({
    queryKey: ['permission-check', org, userId, 'all', names, ...asOfKey(asOf)],
    queryFn: async () => {
      const results = new Map<string, Check>();
      for (let start = 0; start < names.length; start += CHECKS_MAX) {
        const checks = names.slice(start, start + CHECKS_MAX).map((permission) => ({ userId, permission }));
        const params = { path: { org }, query: { asOf } };
        const { data } = await unwrap(api.POST('/v1/organizations/{org}/permissions/check/batch', { params, body: { checks } }));
        for (const [index, check] of data.entries()) results.set(checks[index]!.permission, check);
      }
      return results;
    },
    enabled: isEnabled && permissions !== undefined,
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
          .map(({ roleName: role, organizationId, source }) =>
            source === 'break_glass'
              ? t('permissionChecks.throughBreakGlass', { role: roleName(role) })
              : t('permissionChecks.through', { role: roleName(role), organization: nameOfOrganization(organizationId) }),
          )
          .join('; ')}
      </Text>
    </Group>
  );
}

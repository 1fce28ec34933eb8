import { Anchor, Code, Paper, Text } from '@mantine/core';
import { ArrowRightIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { useOrganizationId } from '../organization';
import { useIsCurrentOrganization, useOrganizationName } from './organization-name';
import classes from './permission-chain.module.css';
import { nameOf } from './user-picker';

interface Step {
  readonly label: string;
  readonly what: ReactNode;
  readonly note?: string;
}

/** Shows the steps from a user to the result of a check: in a row, or in a column on narrow screens. */
function Chain({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.chain}>
      {steps.map(({ label, what, note }, index) => (
        <li key={label} className={classes.step}>
          {index > 0 && <ArrowRightIcon size={18} className={classes.arrow} />}
          <Paper withBorder p="sm" className={classes.card}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="div" fw={600} className="breakable">
              {what}
            </Text>
            {note && (
              <Text size="xs" c="dimmed">
                {note}
              </Text>
            )}
          </Paper>
        </li>
      ))}
    </ol>
  );
}

interface GrantedProps {
  readonly user: Schema<'UserResponse'>;
  readonly grant: Schema<'GrantingRoleResponse'>;
  readonly permission: string;
  /** The past moment of the check. */
  readonly asOf: string | undefined;
}

/** Explains a granted permission: the user, the role and where it was assigned, and the permission. */
export function GrantedChain({ user, grant, permission, asOf }: GrantedProps) {
  const nameOfOrganization = useOrganizationName(asOf);
  const isCurrent = useIsCurrentOrganization();
  const isEmergency = grant.source === 'break_glass';
  return (
    <Chain
      steps={[
        { label: t('permissionChecks.chainUser'), what: nameOf(user), note: user.displayName ? user.email : undefined },
        {
          label: isEmergency
            ? t('permissionChecks.hasBreakGlassRole')
            : grant.group
              ? t('permissionChecks.hasGroupRole', { group: grant.group.name })
              : t('permissionChecks.hasRole'),
          what: <RoleName id={grant.roleId} name={grant.roleName} isPast={asOf !== undefined} />,
          note: grantLocation(grant, nameOfOrganization(grant.organizationId), isCurrent(grant.organizationId)),
        },
        {
          label: t('permissionChecks.holding'),
          what: <Code fz="sm">{grant.permission}</Code>,
          note: grant.permission === permission ? t('permissionChecks.exactly') : t('permissionChecks.covering', { permission }),
        },
      ]}
    />
  );
}

function grantLocation({ source }: Schema<'GrantingRoleResponse'>, organization: string, isCurrent: boolean): string {
  if (source === 'break_glass')
    return `${t('permissionChecks.where.breakGlass')}, ${isCurrent ? t('permissionChecks.where.here') : organization}`;
  return isCurrent ? t('permissionChecks.where.here') : t('permissionChecks.where.above', { organization });
}

interface DeniedProps {
  readonly user: Schema<'UserResponse'>;
  readonly refusal: Schema<'PermissionAnswerResponse'>['refusal'];
  readonly permission: string;
  readonly asOf: string | undefined;
}

export function DeniedChain({ user, refusal, permission, asOf }: DeniedProps) {
  const person = { label: t('permissionChecks.chainUser'), what: nameOf(user), note: user.displayName ? user.email : undefined };
  if (refusal === 'user_suspended' || refusal === 'user_deleted') {
    const isSuspended = refusal === 'user_suspended';
    const label = isSuspended ? t('permissionChecks.suspended') : t('permissionChecks.deleted');
    return (
      <Chain
        steps={[person, { label, what: isSuspended ? t('permissionChecks.suspendedWhy') : t('permissionChecks.deletedWhy') }]}
      />
    );
  }
  if (refusal === 'organization_suspended')
    return (
      <Chain steps={[person, { label: t('permissionChecks.suspended'), what: t('permissionChecks.organizationSuspendedWhy') }]} />
    );
  if (user.roles.length === 0) return <Chain steps={[person, { label: permission, what: t('permissionChecks.hasNoRoles') }]} />;
  const roles = user.roles.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <RoleName id={id} name={name} isPast={asOf !== undefined} />
    </Fragment>
  ));
  return (
    <Chain steps={[person, { label: t('permissionChecks.hasRoles'), what: roles, note: t('permissionChecks.noneOfRoles') }]} />
  );
}

/** Links to the role. A role of a past moment has no link, because it can be deleted or different now. */
function RoleName({ id, name, isPast }: { id: string; name: string; isPast: boolean }) {
  const org = useOrganizationId();
  if (isPast) return <>{roleName(name)}</>;
  return (
    <Anchor component={Link} to={`/dashboard/organizations/${org}/roles/${id}`} inherit underline="always">
      {roleName(name)}
    </Anchor>
  );
}

import { useQuery } from '@tanstack/react-query';
import { roleName } from '../../api/role-name';
import { findText, t } from '../../texts';
import { type ComparedValue, Differences } from '../as-of/differences';
import { PROFILE_FIELDS, profileValuesOf } from './profile-values';
import { type User, userQuery } from './user-queries';

interface Props {
  readonly org: string;
  readonly asOf: string;
  /** The user as of the moment. */
  readonly past: User;
}

/** Lists what changed about a user since a past moment. */
export function UserDifferences({ org, asOf, past }: Props) {
  const { data, error } = useQuery(userQuery(org, past.id));
  return <Differences asOf={asOf} values={data && comparedValues(past, data.user)} error={data ? null : error} />;
}

function comparedValues(past: User, present: User): ComparedValue[] {
  const [before, after] = [textsOf(past), textsOf(present)];
  const values = [...before.keys()].map((label) => ({ label, past: before.get(label)!, present: after.get(label)! }));
  return [...values, ...rolePermissions(past, present)];
}

/** Returns the values of a user as texts by label. */
function textsOf(user: User): Map<string, string> {
  const profile = profileValuesOf(user);
  return new Map([
    [t('asOf.status'), t(`users.statuses.${user.status}`)],
    [t('asOf.suspensionReason'), user.suspendedReason ?? ''],
    ...PROFILE_FIELDS.map((field): [string, string] => [t(`users.fields.${field}`), profile[field]]),
    [t('asOf.emailVerified'), yesOrNo(user.emailVerified)],
    [t('asOf.phoneVerified'), yesOrNo(user.phoneVerified)],
    [t('users.roles.here'), sortedLines(user.roles.map(({ name }) => roleName(name)))],
    [t('users.memberships.title'), sortedLines(user.organizations.map(({ name, role }) => `${name}: ${roleName(role)}`))],
    [t('users.security.factors'), sortedLines(user.mfaMethods.map(methodName))],
    [t('users.security.providers'), sortedLines(user.identityProviders.map(({ provider }) => provider))],
  ]);
}

/** Returns the permissions of the roles that the user has at both times. */
const rolePermissions = (past: User, present: User): ComparedValue[] =>
  past.roles.flatMap(({ id, name, permissions }) => {
    const role = present.roles.find((each) => each.id === id);
    const label = t('asOf.permissionsOf', { role: roleName(name) });
    return role ? [{ label, past: sortedLines(permissions), present: sortedLines(role.permissions) }] : [];
  });

const yesOrNo = (value: boolean): string => (value ? t('common.yes') : t('common.no'));
const methodName = (method: string): string => findText(`users.security.methods.${method}`) ?? method;
const sortedLines = (names: readonly string[]): string => names.toSorted().join('\n');

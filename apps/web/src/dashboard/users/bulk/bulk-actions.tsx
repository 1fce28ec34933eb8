import type { ReactNode } from 'react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { SuspensionFields, type Suspension } from '../suspension-fields';
import type { ListedUser } from '../user-queries';
import { GroupField, RoleField } from './bulk-fields';
import type { SendBatch } from './run-batch';

/** The choices in the dialog of an action. */
export interface BulkInput extends Suspension {
  readonly roleId?: string;
  readonly groupId?: string;
}

interface FieldProps {
  readonly org: string;
  readonly onChange: (changes: Partial<BulkInput>) => void;
}

/** An action on the selected people. */
export interface BulkAction {
  readonly id: BulkActionId;
  readonly permissions: readonly string[];
  readonly isDangerous?: boolean;
  /** Returns whether the action has an effect on a user. The others are left out. */
  readonly appliesTo: (user: ListedUser) => boolean;
  readonly fields?: (props: FieldProps) => ReactNode;
  /** The field without which the action can't run. */
  readonly required?: 'roleId' | 'groupId';
  readonly send: (input: BulkInput) => SendBatch;
}

type BulkActionId =
  | 'suspend'
  | 'activate'
  | 'resendInvitation'
  | 'assignRole'
  | 'revokeRole'
  | 'addToGroup'
  | 'removeMember'
  | 'delete'
  | 'restore';

const params = (org: string, key: string) => ({ path: { org }, header: { 'Idempotency-Key': key } });
const isPresent = ({ status }: ListedUser) => status !== 'deleted';
const isMember = ({ status, roles }: ListedUser) => status !== 'deleted' && roles.length > 0;

/** All actions, the most frequent first. */
export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    id: 'suspend',
    permissions: ['users:write'],
    isDangerous: true,
    appliesTo: ({ status }) => status === 'active' || status === 'pending',
    fields: ({ onChange }) => <SuspensionFields text={t('users.bulk.suspend.text')} onChange={onChange} />,
    send:
      ({ reason, revokeActiveSessions }) =>
      (org, userIds, key) =>
        unwrap(
          api.POST('/v1/organizations/{org}/users/batch/suspend', {
            params: params(org, key),
            body: { userIds, reason, revokeActiveSessions },
          }),
        ),
  },
  {
    id: 'activate',
    permissions: ['users:write'],
    appliesTo: ({ status }) => status === 'suspended' || status === 'pending',
    send: () => (org, userIds, key) =>
      unwrap(api.POST('/v1/organizations/{org}/users/batch/activate', { params: params(org, key), body: { userIds } })),
  },
  {
    id: 'resendInvitation',
    permissions: ['users:write'],
    appliesTo: ({ status }) => status === 'pending',
    send: () => (org, userIds, key) =>
      unwrap(api.POST('/v1/organizations/{org}/users/batch/resend-invitation', { params: params(org, key), body: { userIds } })),
  },
  {
    id: 'assignRole',
    permissions: ['members:write', 'roles:read'],
    appliesTo: isMember,
    required: 'roleId',
    fields: (props) => <RoleField {...props} />,
    send:
      ({ roleId = '' }) =>
      (org, userIds, key) =>
        unwrap(
          api.POST('/v1/organizations/{org}/users/batch/assign-role', { params: params(org, key), body: { userIds, roleId } }),
        ),
  },
  {
    id: 'revokeRole',
    permissions: ['members:write', 'roles:read'],
    isDangerous: true,
    appliesTo: isMember,
    required: 'roleId',
    fields: (props) => <RoleField {...props} />,
    send:
      ({ roleId = '' }) =>
      (org, userIds, key) =>
        unwrap(
          api.POST('/v1/organizations/{org}/users/batch/revoke-role', { params: params(org, key), body: { userIds, roleId } }),
        ),
  },
  {
    id: 'addToGroup',
    permissions: ['groups:write', 'groups:read'],
    appliesTo: isMember,
    required: 'groupId',
    fields: (props) => <GroupField {...props} />,
    send:
      ({ groupId = '' }) =>
      (org, userIds, key) =>
        unwrap(
          api.POST('/v1/organizations/{org}/users/batch/add-to-group', { params: params(org, key), body: { userIds, groupId } }),
        ),
  },
  {
    id: 'removeMember',
    permissions: ['members:write'],
    isDangerous: true,
    appliesTo: isMember,
    send: () => (org, userIds, key) =>
      unwrap(api.POST('/v1/organizations/{org}/users/batch/remove-member', { params: params(org, key), body: { userIds } })),
  },
  {
    id: 'delete',
    permissions: ['users:delete'],
    isDangerous: true,
    appliesTo: isPresent,
    send: () => (org, userIds, key) =>
      unwrap(api.POST('/v1/organizations/{org}/users/batch/delete', { params: params(org, key), body: { userIds } })),
  },
  {
    id: 'restore',
    permissions: ['users:delete'],
    appliesTo: ({ status }) => status === 'deleted',
    send: () => (org, userIds, key) =>
      unwrap(api.POST('/v1/organizations/{org}/users/batch/restore', { params: params(org, key), body: { userIds } })),
  },
];

import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { covers, permissionsQuery } from '../permissions';
import { canGrant } from './permission-patterns';
import { holdersQuery, rolesQuery, servicePermissionsQuery } from './role-queries';
import { dialogs } from '../../ui/dialogs';

interface Deletion {
  readonly org: string;
  readonly role: Schema<'RoleResponse'>;
  readonly onDeleted: () => void;
}

/** Opens the dialog that deletes a role. A role in use needs a replacement. */
export function openDeleteRoleDialog({ onDeleted, ...deletion }: Deletion): void {
  const dialogId = dialogs.open({
    title: t('roles.removeTitle', { name: deletion.role.name }),
    children: (
      <DeletionForm
        {...deletion}
        onDeleted={() => {
          dialogs.close(dialogId);
          onDeleted();
        }}
        onCancel={() => dialogs.close(dialogId)}
      />
    ),
  });
}

function DeletionForm({ org, role, onDeleted, onCancel }: Deletion & { onCancel: () => void }) {
  const [replacement, setReplacement] = useState<string | null>(null);
  const { data: ownPermissions = [] } = useQuery(permissionsQuery(org));
  const { data: holders = 0 } = useQuery({ ...holdersQuery(org, role.id), enabled: covers(ownPermissions, 'users:read') });
  const remove = useApiMutation({
    mutationFn: () => {
      const params = { path: { org, roleId: role.id }, query: replacement ? { reassignTo: replacement } : {} };
      return unwrap(api.DELETE('/v1/organizations/{org}/roles/{roleId}', { params }));
    },
    invalidates: [['roles', org], ['users', org], ['permissions']],
    successMessage: t('roles.removed', { name: role.name }),
    onSuccess: onDeleted,
  });
  const isInUse = remove.error instanceof ApiProblem && remove.error.code === 'role_in_use';
  const needsReplacement = holders > 0 || isInUse || replacement !== null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {holders > 0
            ? t('roles.removeUsed', { count: holders })
            : isInUse
              ? t('roles.removeUsedElsewhere')
              : t('roles.removeUnused')}
        </Text>
        {needsReplacement && <ReplacementSelect org={org} without={role.id} value={replacement} onChange={setReplacement} />}
        {remove.error && !isInUse && <ErrorNotice error={remove.error} />}
        <DialogButtons
          submitLabel={t('roles.remove')}
          isPending={remove.isPending}
          isDisabled={needsReplacement && !replacement}
          isDangerous
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

interface ReplacementProps {
  readonly org: string;
  readonly without: string;
  readonly value: string | null;
  readonly onChange: (roleId: string | null) => void;
}

/** Selects a role that the caller can assign. */
function ReplacementSelect({ org, without, value, onChange }: ReplacementProps) {
  const { data: roles } = useQuery(rolesQuery(org));
  const { data: servicePermissions = [] } = useQuery(servicePermissionsQuery);
  const { data: ownPermissions = [] } = useQuery(permissionsQuery(org));
  const choices = (roles?.data ?? [])
    .filter(
      ({ id, permissions }) => id !== without && permissions.every((each) => canGrant(ownPermissions, each, servicePermissions)),
    )
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label={t('roles.replacement')}
      data={choices}
      value={value}
      onChange={onChange}
      // Screen readers ignore a portal outside the dialog.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      searchable
      required
      data-autofocus
    />
  );
}

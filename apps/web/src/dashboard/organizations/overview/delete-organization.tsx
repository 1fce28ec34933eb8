import { Checkbox, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { Dialog } from '../../../ui/dialog';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Deletes an organization after the user typed the name of the organization. */
export function DeleteOrganization({ organization, isOpen, onClose }: Props) {
  return (
    <Dialog isDisposable opened={isOpen} onClose={onClose} title={t('organization.delete.title', { name: organization.name })}>
      <DeleteForm organization={organization} onCancel={onClose} />
    </Dialog>
  );
}

function DeleteForm({ organization: { id, name }, onCancel }: { organization: Props['organization']; onCancel: () => void }) {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['organization', id, 'deletion'],
    queryFn: async () => (await unwrap(api.GET('/v1/organizations/{org}/deletion', { params: { path: { org: id } } }))).data,
    staleTime: 0,
  });
  const [includesDescendants, setIncludesDescendants] = useState(false);
  const [typed, setTyped] = useState('');
  const change = useApiMutation({
    mutationFn: (cascade: boolean) =>
      unwrap(api.DELETE('/v1/organizations/{org}', { params: { path: { org: id }, query: { cascade } } })),
    invalidates: [['organizations'], ['session'], ['permissions']],
    successMessage: t('organization.delete.done', { name }),
    onSuccess: () => void navigate({ to: '/dashboard', search: { tab: 'deleted' } }),
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loader aria-label={t('common.loading')} />;
  const { organizationsBelow } = query.data;
  const descendantCount = t('organizations.countOrganizations', { count: organizationsBelow });
  const hasDescendants = organizationsBelow > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(hasDescendants);
      }}
    >
      <Stack>
        <Consequences preview={query.data} />
        {hasDescendants && (
          <Checkbox
            label={t('organization.delete.cascadeLabel', { below: descendantCount })}
            description={t('organization.delete.cascadeNeeded')}
            checked={includesDescendants}
            onChange={(event) => setIncludesDescendants(event.currentTarget.checked)}
          />
        )}
        <TextInput
          label={t('common.typeToConfirm', { word: name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        {change.error && <ErrorNotice error={change.error} />}
        <DialogButtons
          submitLabel={t('organization.delete.confirm')}
          isPending={change.isPending}
          isDisabled={typed !== name || (hasDescendants && !includesDescendants)}
          isDangerous
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function Consequences({ preview }: { preview: Schema<'OrganizationDeletionResponse'> }) {
  const users = t('organizations.countUsers', { count: preview.users });
  const descendantCount = t('organizations.countOrganizations', { count: preview.organizationsBelow });
  return (
    <>
      <Text size="sm">
        {preview.organizationsBelow > 0
          ? t('organization.delete.cascade', { below: descendantCount, users })
          : t('organization.delete.alone', { users })}
      </Text>
      <Text size="sm">
        {t('organization.delete.atOnce')}{' '}
        {t('organization.delete.restorable', { moment: formatDateTime(preview.restorableUntil) })}
      </Text>
    </>
  );
}

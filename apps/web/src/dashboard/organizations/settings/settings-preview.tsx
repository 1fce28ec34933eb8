import { Alert, Button, Group, List, Loader, Stack, Text } from '@mantine/core';
import { LockIcon, UnlockIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { PreviewedOrganizations } from './previewed-organizations';
import type { SettingField } from './setting-definitions';
import { settingsRequest, type useSettingsDraft } from './settings-draft';
import type { LoadedSettings } from './settings-query';
import { settingFieldName } from './setting-text';
import { Dialog } from '../../../ui/dialog';

interface Props {
  readonly loaded: LoadedSettings;
  readonly draft: ReturnType<typeof useSettingsDraft>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Previews the effect of a draft on the organization and its descendants, and saves the draft. */
export function SettingsPreview(props: Props) {
  return (
    <Dialog opened={props.isOpen} onClose={props.onClose} title={t('settings.preview.title')} size="lg">
      <PreviewAndSave {...props} />
    </Dialog>
  );
}

function PreviewAndSave({ loaded, draft, onClose }: Props) {
  const { id } = loaded.organization;
  const body = settingsRequest(draft.draft, loaded.ownLocks);
  const preview = useQuery({
    queryKey: ['organization', id, 'settings-preview', body],
    queryFn: async () =>
      (await unwrap(api.POST('/v1/organizations/{org}/settings/preview', { params: { path: { org: id } }, body }))).data,
    gcTime: 0,
    staleTime: 0,
  });
  const change = useApiMutation({
    mutationFn: () =>
      unwrap(api.PATCH('/v1/organizations/{org}', { params: { path: { org: id }, header: { 'If-Match': loaded.etag } }, body })),
    invalidates: [['organization'], ['organizations']],
    successMessage: t('common.saved'),
    onSuccess: onClose,
  });
  if (preview.error) return <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <Loader aria-label={t('common.loading')} />;
  const isOutdated = change.error instanceof ApiProblem && change.error.status === 412;
  return (
    <Stack>
      <Summary organizations={preview.data.organizations} />
      <PreviewedOrganizations organizations={preview.data.organizations} organizationId={id} roleNames={loaded.roleNames} />
      <LockChanges locked={draft.locked} unlocked={draft.unlocked} />
      {change.error && <ErrorNotice error={change.error} advice={isOutdated ? t('settings.preview.editConflict') : undefined} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('settings.preview.back')}
        </Button>
        <Button onClick={() => change.mutate(undefined)} loading={change.isPending} data-autofocus>
          {t('settings.preview.save')}
        </Button>
      </Group>
    </Stack>
  );
}

type Previewed = Parameters<typeof PreviewedOrganizations>[0]['organizations'];

function Summary({ organizations }: { organizations: Previewed }) {
  const sum = (count: (organization: Previewed[number]) => number) =>
    organizations.reduce((total, organization) => total + count(organization), 0);
  const nonCompliantCount = sum(
    ({ usersOutOfLine: { withoutMfa, domainNotAllowed, passwordOlderThanPolicy, withoutIdentity } }) =>
      Math.max(withoutMfa, domainNotAllowed, passwordOlderThanPolicy, withoutIdentity),
  );
  if (organizations.length === 0) return <Text>{t('settings.preview.nothing')}</Text>;
  return (
    <Alert color={nonCompliantCount > 0 ? 'yellow' : 'indigo'} role="status">
      <List>
        <List.Item>{t('settings.preview.organizations', { count: organizations.length })}</List.Item>
        <List.Item>{t('settings.preview.users', { count: sum(({ userCount }) => userCount) })}</List.Item>
        {nonCompliantCount > 0 && <List.Item>{t('settings.preview.nonCompliant', { count: nonCompliantCount })}</List.Item>}
      </List>
    </Alert>
  );
}

function LockChanges({ locked, unlocked }: { locked: readonly SettingField[]; unlocked: readonly SettingField[] }) {
  const names = (fields: readonly SettingField[]) => fields.map(settingFieldName).join(', ');
  return (
    <>
      {locked.length > 0 && <Alert icon={<LockIcon size={20} />}>{t('settings.preview.locks', { names: names(locked) })}</Alert>}
      {unlocked.length > 0 && (
        <Alert icon={<UnlockIcon size={20} />}>{t('settings.preview.unlocks', { names: names(unlocked) })}</Alert>
      )}
    </>
  );
}

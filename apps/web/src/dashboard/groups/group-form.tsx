import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { groupsKey, type UserGroup } from './group-queries';
import { dialogs } from '../../ui/dialogs';

interface GroupFields {
  readonly name: string;
  readonly description: string;
  readonly externalId: string;
}

export function openCreateGroupDialog(org: string, onCreated: (group: UserGroup) => void): void {
  const dialogId = dialogs.open({
    title: t('groups.create'),
    children: (
      <CreationForm
        org={org}
        onCreated={(group) => {
          dialogs.close(dialogId);
          onCreated(group);
        }}
        onCancel={() => dialogs.close(dialogId)}
      />
    ),
  });
}

export function openEditGroupDialog(org: string, group: UserGroup, etag: string): void {
  const dialogId = dialogs.open({
    title: t('groups.edit'),
    children: <EditForm org={org} group={group} etag={etag} onDone={() => dialogs.close(dialogId)} />,
  });
}

interface CreationProps {
  readonly org: string;
  readonly onCreated: (group: UserGroup) => void;
  readonly onCancel: () => void;
}

function CreationForm({ org, onCreated, onCancel }: CreationProps) {
  const create = useApiMutation({
    mutationFn: async ({ name, description, externalId }: GroupFields) => {
      const body = { name, ...(description ? { description } : {}), ...(externalId ? { externalId } : {}) };
      return (await unwrap(api.POST('/v1/organizations/{org}/groups', { params: { path: { org } }, body }))).data;
    },
    invalidates: [groupsKey(org)],
    successMessage: ({ name }) => t('groups.created', { name }),
    onSuccess: onCreated,
  });
  return (
    <GroupForm
      initial={{ name: '', description: '', externalId: '' }}
      submitLabel={t('groups.create')}
      change={create}
      onCancel={onCancel}
    />
  );
}

interface EditProps {
  readonly org: string;
  readonly group: UserGroup;
  readonly etag: string;
  readonly onDone: () => void;
}

function EditForm({ org, group, etag, onDone }: EditProps) {
  const update = useApiMutation({
    mutationFn: async ({ name, description, externalId }: GroupFields) => {
      const params = { path: { org, id: group.id }, header: { 'If-Match': etag } };
      const body = { name, description: description || null, externalId: externalId || null };
      return (await unwrap(api.PATCH('/v1/organizations/{org}/groups/{id}', { params, body }))).data;
    },
    invalidates: [groupsKey(org)],
    successMessage: ({ name }) => t('groups.saved', { name }),
    onSuccess: onDone,
  });
  return (
    <GroupForm
      initial={{ name: group.name, description: group.description ?? '', externalId: group.externalId ?? '' }}
      submitLabel={t('common.save')}
      change={update}
      onCancel={onDone}
    />
  );
}

interface FormProps {
  readonly initial: GroupFields;
  readonly submitLabel: string;
  readonly change: { isPending: boolean; error: unknown; mutate: (fields: GroupFields) => void };
  readonly onCancel: () => void;
}

function GroupForm({ initial, submitLabel, change, onCancel }: FormProps) {
  const form = useForm<GroupFields>({ initialValues: { ...initial } });
  const { fields, rest } = formErrors(change.error, ['name', 'description', 'externalId']);
  const code = change.error instanceof ApiProblem ? change.error.code : undefined;
  const messageFor = (field: string, conflict: string): string | undefined =>
    fields[field] ?? (code === conflict && change.error instanceof ApiProblem ? change.error.message : undefined);
  const isShownAtField = code === 'group_name_taken' || code === 'group_external_id_taken';
  return (
    <form
      onSubmit={form.onSubmit(({ name, description, externalId }) =>
        change.mutate({ name: name.trim(), description: description.trim(), externalId: externalId.trim() }),
      )}
    >
      <Stack>
        <TextInput
          label={t('groups.name')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={messageFor('name', 'group_name_taken')}
        />
        <Textarea
          label={t('groups.about')}
          maxLength={500}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
          error={fields['description']}
        />
        <TextInput
          label={t('groups.externalId')}
          description={t('groups.externalIdHint')}
          maxLength={200}
          {...form.getInputProps('externalId')}
          error={messageFor('externalId', 'group_external_id_taken')}
        />
        {rest !== undefined && !isShownAtField && <ErrorNotice error={rest} />}
        <DialogButtons submitLabel={submitLabel} isPending={change.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

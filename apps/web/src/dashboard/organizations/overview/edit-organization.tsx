import { JsonInput, Loader, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { ApiProblem } from '../../../api/problem';
import { choices, t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { versionedOrganization, type VersionedOrganization } from '../versioned-organization';
import { metadataPatch, parsedObject } from './metadata-patch';
import { Dialog } from '../../../ui/dialog';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function EditOrganization({ organization: { id }, isOpen, onClose }: Props) {
  const query = useQuery({
    queryKey: ['organization', id, 'versioned'],
    queryFn: () => versionedOrganization(id),
    enabled: isOpen,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('organization.edit.title')} size="lg">
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loader aria-label={t('common.loading')} />}
      {query.data && <EditForm versioned={query.data} onDone={onClose} />}
    </Dialog>
  );
}

interface EditValues {
  readonly name: string;
  readonly description: string;
  readonly type: Schema<'OrganizationResponse'>['type'];
  /** A JSON object. */
  readonly metadata: string;
}

function useOrganizationUpdate({ organization, etag }: VersionedOrganization, onDone: () => void) {
  return useApiMutation({
    mutationFn: ({ name, description, type, metadata }: EditValues) =>
      unwrap(
        api.PATCH('/v1/organizations/{org}', {
          params: { path: { org: organization.id }, header: { 'If-Match': etag } },
          body: {
            name,
            description: description || null,
            type,
            metadata: metadataPatch(organization.metadata, parsedObject(metadata)!),
          },
        }),
      ),
    invalidates: [['organization'], ['organizations'], ['session']],
    successMessage: t('common.saved'),
    onSuccess: onDone,
  });
}

function EditForm({ versioned, onDone }: { versioned: VersionedOrganization; onDone: () => void }) {
  const { organization } = versioned;
  const form = useForm<EditValues>({
    initialValues: {
      name: organization.name,
      description: organization.description ?? '',
      type: organization.type,
      metadata: JSON.stringify(organization.metadata, null, 2),
    },
    validate: { metadata: (text) => (parsedObject(text) ? null : t('organization.edit.metadataInvalid')) },
  });
  const change = useOrganizationUpdate(versioned, onDone);
  const { fields, rest } = formErrors(change.error, ['name', 'description', 'metadata']);
  const isOutdated = rest instanceof ApiProblem && rest.status === 412;
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        <TextInput
          label={t('organization.edit.name')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <Textarea
          label={t('organization.edit.description')}
          maxLength={2000}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
          error={fields['description']}
        />
        <Select
          label={t('organization.edit.type')}
          data={choices('organizations.types')}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <JsonInput
          label={t('organization.edit.metadata')}
          description={t('organization.edit.metadataHelp')}
          validationError={t('organization.edit.metadataInvalid')}
          autosize
          minRows={4}
          maxRows={14}
          {...form.getInputProps('metadata')}
          error={form.errors['metadata'] ?? fields['metadata']}
        />
        <Text size="sm" c="dimmed">
          {t('organization.edit.slugFixed')}
        </Text>
        {rest !== undefined && <ErrorNotice error={rest} advice={isOutdated ? t('organization.edit.editConflict') : undefined} />}
        <DialogButtons submitLabel={t('common.save')} isPending={change.isPending} onCancel={onDone} />
      </Stack>
    </form>
  );
}

import { Button, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon } from '@primer/octicons-react';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { choices, t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { useApiMutation } from '../../ui/use-api-mutation';
import { Dialog } from '../../ui/dialog';

interface Parent {
  readonly id: string;
  readonly name: string;
}

/** A button with the dialog that creates an organization: at the top level, or as a child of `parent`. */
export function CreateOrganization({ parent, variant }: { parent?: Parent; variant?: 'default' }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open} leftSection={<PlusIcon size={16} />} variant={variant}>
        {parent ? t('organizations.create.buttonChild') : t('organizations.create.button')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={parent ? t('organizations.create.titleChild', { name: parent.name }) : t('organizations.create.title')}
      >
        <CreateForm parent={parent} onCancel={close} />
      </Dialog>
    </>
  );
}

interface CreateValues {
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly description: string;
}

function useOrganizationCreation(parent: Parent | undefined) {
  const navigate = useNavigate();
  return useApiMutation({
    mutationFn: async ({ name, slug, type, description }: CreateValues) => {
      const body = {
        name,
        type: type as 'standard' | 'enterprise',
        ...(slug && { slug }),
        ...(description && { description }),
        ...(parent && { parentId: parent.id }),
      };
      return (await unwrap(api.POST('/v1/organizations', { body }))).data;
    },
    invalidates: [['organizations'], ['organization'], ['session'], ['permissions']],
    successMessage: ({ name, status }) =>
      status === 'pending' ? t('organizations.create.createdPending', { name }) : t('organizations.create.created', { name }),
    onSuccess: ({ id }) => void navigate({ to: `/dashboard/organizations/${id}` }),
  });
}

function CreateForm({ parent, onCancel }: { parent: Parent | undefined; onCancel: () => void }) {
  const form = useForm<CreateValues>({ initialValues: { name: '', slug: '', type: 'standard', description: '' } });
  const change = useOrganizationCreation(parent);
  const { fields, rest } = formErrors(change.error, ['name', 'slug', 'type', 'description']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        {parent && <Text size="sm">{t('organizations.create.inherits', { name: parent.name })}</Text>}
        <TextInput
          label={t('organizations.create.nameLabel')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <TextInput
          label={t('organizations.create.slugLabel')}
          description={t('organizations.create.slugHelp')}
          maxLength={63}
          {...form.getInputProps('slug')}
          error={fields['slug']}
        />
        <Select
          label={t('organizations.create.typeLabel')}
          data={choices('organizations.types')}
          allowDeselect={false}
          {...form.getInputProps('type')}
          error={fields['type']}
        />
        <Textarea
          label={t('organizations.create.descriptionLabel')}
          maxLength={2000}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
          error={fields['description']}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <DialogButtons submitLabel={t('common.create')} isPending={change.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

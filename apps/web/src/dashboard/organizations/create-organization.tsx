import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { fieldProblems } from '../../api/field-problems';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { useChange } from '../../ui/use-change';

const words = texts.organizations.create;

interface Parent {
  readonly id: string;
  readonly name: string;
}

/** A button and the dialog in which an organization is made: at the top level, or below `parent`. */
export function CreateOrganization({ parent, variant }: { parent?: Parent; variant?: 'default' }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />} variant={variant}>
        {parent ? words.buttonBelow : words.button}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={parent ? words.titleBelow(parent.name) : words.title}
        closeButtonProps={{ 'aria-label': texts.common.close }}
      >
        <CreateForm parent={parent} onCancel={close} />
      </Modal>
    </>
  );
}

const TYPES = Object.entries(texts.organizations.types).map(([value, label]) => ({ value, label }));

function CreateForm({ parent, onCancel }: { parent: Parent | undefined; onCancel: () => void }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', slug: '', type: 'standard', description: '' } });
  const change = useChange({
    run: async ({ name, slug, type, description }: typeof form.values) => {
      const body = {
        name,
        type: type as 'standard' | 'enterprise',
        ...(slug && { slug }),
        ...(description && { description }),
        ...(parent && { parentId: parent.id }),
      };
      return (await answerOf(api.POST('/v1/organizations', { body }))).data;
    },
    outdates: [['organizations'], ['organization'], ['session'], ['permissions']],
    done: ({ name, status }) => (status === 'pending' ? words.createdPending(name) : words.created(name)),
    onDone: ({ id }) => void navigate({ to: `/dashboard/organizations/${id}` }),
  });
  const { fields, rest } = fieldProblems(change.error, ['name', 'slug', 'type', 'description']);
  return (
    <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
      <Stack>
        {parent && <Text size="sm">{words.inherits(parent.name)}</Text>}
        <TextInput
          label={words.nameLabel}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <TextInput
          label={words.slugLabel}
          description={words.slugHelp}
          maxLength={63}
          {...form.getInputProps('slug')}
          error={fields['slug']}
        />
        <Select
          label={words.typeLabel}
          data={TYPES}
          allowDeselect={false}
          {...form.getInputProps('type')}
          error={fields['type']}
        />
        <Textarea
          label={words.descriptionLabel}
          maxLength={2000}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
          error={fields['description']}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {texts.common.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

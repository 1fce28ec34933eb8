import { Button, Stack, Text, Title } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { notifySuccess } from '../../ui/notify';

interface Props {
  /** The user types the name first. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly onDelete: () => Promise<void>;
}

/** Deletes what a page shows, after the user typed its name. */
export function DeleteSection({ name, label, description, onDelete }: Props) {
  const openConfirmation = () =>
    confirm({
      title: t('applications.deleteTitle', { name }),
      consequences: description,
      confirmLabel: label,
      typeToConfirm: name,
      isDangerous: true,
      action: async () => {
        await onDelete();
        notifySuccess(t('applications.deleted', { name }));
      },
    });
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={2}>{label}</Title>
      <Text size="sm" c="dimmed">
        {description}
      </Text>
      <Button variant="light" color="red" leftSection={<TrashIcon size={16} />} onClick={openConfirmation}>
        {label}
      </Button>
    </Stack>
  );
}

import { Button, Group } from '@mantine/core';
import { t } from '../texts';

interface Props {
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  readonly onCancel: () => void;
}

/** The buttons of a form in a dialog: Cancel and Submit. */
export function DialogButtons({ submitLabel, isPending, isDisabled, isDangerous = false, onCancel }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={isPending}>
        {t('common.cancel')}
      </Button>
      <Button type="submit" color={isDangerous ? 'red' : undefined} loading={isPending} disabled={isDisabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}

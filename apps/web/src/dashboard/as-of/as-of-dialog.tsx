import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../texts';
import { DateTimeInput } from '../../ui/date-time-input';
import { DialogButtons } from '../../ui/dialog-buttons';
import { timeZone } from '../../ui/absolute-time';
import { dialogs } from '../../ui/dialogs';

interface Props {
  /** The moment that the dialog shows first. */
  readonly initial: string;
  /** The texts of a dialog that does not show the moment on the page. */
  readonly texts?: { readonly title: string; readonly text: string; readonly submit: string };
  /** Returns the reason if the moment can't be selected. */
  readonly validate?: (asOf: string) => Promise<string | undefined>;
  readonly onSelect: (asOf: string) => void;
}

/** Opens the dialog that selects a past moment. */
export function openAsOfDialog(props: Props): void {
  const dialogId = dialogs.open({
    isDisposable: true,
    title: props.texts?.title ?? t('asOf.dialogTitle'),
    children: <AsOfForm {...props} onClose={() => dialogs.close(dialogId)} />,
  });
}

function AsOfForm({ initial, texts, validate, onSelect, onClose }: Props & { onClose: () => void }) {
  const [moment, setMoment] = useState<string | undefined>(initial);
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (moment === undefined) return setError(t('asOf.required'));
    if (Date.parse(moment) > Date.now()) return setError(t('asOf.future'));
    setPending(true);
    const reason = await validate?.(moment);
    setPending(false);
    if (reason !== undefined) return setError(reason);
    onSelect(moment);
    onClose();
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm">{texts?.text ?? t('asOf.dialogText')}</Text>
        <DateTimeInput
          label={t('asOf.dateAndTime')}
          description={t('asOf.timeZone', { zone: timeZone() })}
          value={moment}
          onChange={(value) => {
            setMoment(value);
            setError(undefined);
          }}
          max={new Date().toISOString()}
          error={error}
          required
          data-autofocus
        />
        <DialogButtons submitLabel={texts?.submit ?? t('asOf.show')} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

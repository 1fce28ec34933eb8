import { Select, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { choices, t } from '../../texts';

export interface ReasonAndDuration {
  readonly reason: string;
  /** In seconds. */
  readonly duration: string;
}

interface Props {
  readonly form: UseFormReturnType<ReasonAndDuration>;
  readonly durations: 'breakGlass.durations' | 'impersonation.durations';
  readonly reasonHint: string;
  readonly durationHint?: string;
}

/** The form options of `ReasonAndDurationFields`. */
export const reasonAndDuration = (defaultSeconds: string) => ({
  initialValues: { reason: '', duration: defaultSeconds },
  validate: { reason: (reason: string) => (reason.trim() ? null : t('breakGlass.reasonMissing')) },
});

/** Asks why and for how long somebody needs the access of another person or role. */
export function ReasonAndDurationFields({ form, durations, reasonHint, durationHint }: Props) {
  return (
    <>
      <Textarea
        label={t('breakGlass.reason')}
        description={reasonHint}
        required
        maxLength={500}
        autosize
        minRows={3}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <Select
        label={t('breakGlass.duration')}
        description={durationHint}
        data={choices(durations)}
        allowDeselect={false}
        {...form.getInputProps('duration')}
      />
    </>
  );
}

import { Select } from '@mantine/core';
import { EVENT_FORMATS } from '../../../api/event-catalog.gen';
import { t } from '../../../texts';

export type EventFormat = (typeof EVENT_FORMATS)[number];

interface Props {
  readonly value: EventFormat;
  readonly onChange: (value: EventFormat) => void;
  readonly error?: React.ReactNode;
}

/** Selects the format in which events are sent, and describes the selected format in a sentence. */
export function FormatField({ value, onChange, error }: Props) {
  return (
    <Select
      label={t('webhookForm.format')}
      description={t(`webhookForm.formatHints.${value}`)}
      data={EVENT_FORMATS.map((name) => ({ value: name, label: t(`webhookForm.formats.${name}`) }))}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      allowDeselect={false}
      error={error}
    />
  );
}

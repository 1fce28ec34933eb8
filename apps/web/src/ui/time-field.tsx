import { TextInput, type TextInputProps } from '@mantine/core';

const MS_PER_MINUTE = 60_000;

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'> {
  /** ISO 8601; shown in the device's time zone. */
  readonly value: string | undefined;
  /** Undefined when it was emptied. */
  readonly onChange: (value: string | undefined) => void;
}

/** A day and time, to the minute. */
export function TimeField({ value, onChange, ...rest }: Props) {
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      value={value ? localTime(new Date(value)) : ''}
      onChange={({ currentTarget }) => {
        const moment = new Date(currentTarget.value);
        if (currentTarget.value === '') onChange(undefined);
        else if (!Number.isNaN(moment.getTime())) onChange(moment.toISOString());
      }}
    />
  );
}

/** As such inputs want it. */
const localTime = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * MS_PER_MINUTE).toISOString().slice(0, 16);

import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

const MS_PER_MINUTE = 60_000;

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type' | 'max'> {
  /** An ISO 8601 time, shown in the time zone of the device. */
  readonly value: string | undefined;
  /** Called with undefined when the input is empty. */
  readonly onChange: (value: string | undefined) => void;
  /** The latest time that can be selected (ISO 8601). */
  readonly max?: string;
}

/** Edits a date and time, precise to the minute. */
export function DateTimeInput({ value, onChange, max, ...rest }: Props) {
  // Keeps the typed text until blur. A reset to the delayed `value` would restart the year segment.
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      max={localTime(max)}
      value={typed ?? localTime(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const date = new Date(currentTarget.value);
        if (currentTarget.value === '') onChange(undefined);
        else if (!Number.isNaN(date.getTime())) onChange(date.toISOString());
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** Formats an ISO time for `datetime-local`; empty when the URL of the page contains an invalid time. */
function localTime(value: string | undefined): string {
  const date = new Date(value ?? '');
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * MS_PER_MINUTE).toISOString().slice(0, 16);
}

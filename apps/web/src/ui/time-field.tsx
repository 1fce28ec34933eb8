import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

const MS_PER_MINUTE = 60_000;

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'> {
  /** ISO 8601; shown in the device's time zone. */
  readonly value: string | undefined;
  /** Undefined when it was emptied. */
  readonly onChange: (value: string | undefined) => void;
}

/** A day and time, to the minute. */
export function TimeField({ value, onChange, ...rest }: Props) {
  // While it is typed in, it shows what is typed: a value that comes by way of the address is behind, and would begin the year anew.
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...rest}
      type="datetime-local"
      value={typed ?? localTime(value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const moment = new Date(currentTarget.value);
        if (currentTarget.value === '') onChange(undefined);
        else if (!Number.isNaN(moment.getTime())) onChange(moment.toISOString());
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

/** As such inputs want it; empty where it is no time, as somebody's own address of the page may have it. */
function localTime(value: string | undefined): string {
  const moment = new Date(value ?? '');
  if (Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * MS_PER_MINUTE).toISOString().slice(0, 16);
}

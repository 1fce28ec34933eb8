import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const DEBOUNCE_MS = 250;

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly value: string | undefined;
  /** Called with the trimmed text, or with undefined when the text is empty. */
  readonly onChange: (value: string | undefined) => void;
}

/** A text input for filters. Calls `onChange` after a pause in typing. */
export function DebouncedInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value ?? '');
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim() || undefined;
    onChange(sent.current);
  }, DEBOUNCE_MS);
  useEffect(() => {
    // A `value` that this input has sent would overwrite newer typing.
    if (value !== sent.current) setTyped(value ?? '');
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      maxLength={100}
      {...rest}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}

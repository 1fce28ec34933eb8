import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  readonly value: string | undefined;
  /** Without the blanks around it; undefined when it was emptied. */
  readonly onChange: (value: string | undefined) => void;
}

/** A field for filters: tells what was typed once typing pauses, and follows the address when that changes by itself. */
export function DebouncedInput({ value, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value ?? '');
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim() || undefined;
    onChange(sent.current);
  }, PAUSE_MS);
  useEffect(() => {
    // Not while typing goes on ahead of the address.
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

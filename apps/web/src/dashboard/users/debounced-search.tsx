import { Loader, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly isLoading: boolean;
}

/** A search that begins once typing pauses, and follows the address when that changes by itself. */
export function DebouncedSearch({ label, value, onChange, isLoading }: Props) {
  const [typed, setTyped] = useState(value ?? '');
  const sent = useRef(value);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim() === '' ? undefined : text;
    onChange(sent.current);
  }, PAUSE_MS);
  useEffect(() => {
    // Not while typing goes on ahead of the address.
    if (value !== sent.current) setTyped(value ?? '');
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      type="search"
      label={label}
      value={typed}
      maxLength={100}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={isLoading ? <Loader size="xs" aria-hidden /> : undefined}
      style={{ flex: '1 1 240px' }}
    />
  );
}

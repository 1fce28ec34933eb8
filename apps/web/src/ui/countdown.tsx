import { Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';

const SECOND_MS = 1_000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Formats a countdown: `59:58`, or `3:59:58` for at least one hour. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const hours = Math.floor(seconds / 3_600);
  const rest = `${twoDigits(Math.floor((seconds % 3_600) / 60))}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Counts down to a time and calls `onExpired` once at the end. */
export function Countdown({ until, onExpired }: { until: string; onExpired?: () => void }) {
  const [now, setNow] = useState(() => Date.now());
  const end = new Date(until).getTime();
  const over = useEffectEvent(() => onExpired?.());
  useEffect(() => {
    if (end <= Date.now()) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() < end) return;
      clearInterval(timer);
      over();
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <Text component="time" inherit dateTime={until} role="timer" ff="monospace">
      {formatCountdown(end - now)}
    </Text>
  );
}

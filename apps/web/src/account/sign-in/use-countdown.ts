import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** Returns the full seconds until `endsAt` (Unix time in milliseconds), or 0 if `endsAt` is past or undefined. */
export function useSecondsUntil(endsAt: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  const secondsLeft = endsAt === undefined ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1_000));
  const isRunning = secondsLeft > 0;
  useEffect(() => {
    setNow(Date.now());
    if (endsAt === undefined || endsAt <= Date.now()) return;
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [endsAt, isRunning]);
  return secondsLeft;
}

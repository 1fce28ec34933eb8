import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** Returns the whole seconds until a Unix time in milliseconds; 0 after it or without one. */
export function useSecondsUntil(endsAt: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  const left = endsAt === undefined ? 0 : Math.max(0, Math.ceil((endsAt - now) / 1_000));
  const isRunning = left > 0;
  useEffect(() => {
    setNow(Date.now());
    if (endsAt === undefined || endsAt <= Date.now()) return;
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [endsAt, isRunning]);
  return left;
}

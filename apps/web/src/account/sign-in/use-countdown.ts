import { useEffect, useState } from 'react';

const TICK_MS = 500;

/** Returns the whole seconds until a Unix time in milliseconds; 0 after it or without one. */
export function useSecondsUntil(moment: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  const left = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1_000));
  const isRunning = left > 0;
  useEffect(() => {
    setNow(Date.now());
    if (moment === undefined || moment <= Date.now()) return;
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS);
    return () => window.clearInterval(timer);
  }, [moment, isRunning]);
  return left;
}

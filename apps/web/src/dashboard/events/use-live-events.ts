import { useEffect, useState } from 'react';
import type { Schema } from '../../api/client';
import { type EventFilters, queryOf } from './event-filters';

type Event = Schema<'EventResponse'>;

const LIVE_EVENTS_MAX = 200;

/** Events from the stream, newest first, and the state of the connection. */
export interface LiveEvents {
  readonly events: readonly Event[];
  readonly state: 'off' | 'connected' | 'reconnecting';
}

/**
 * Streams events after the event `after` while the live view is on. After a lost connection, the browser reconnects with the id
 * of the last event, so no event is lost.
 */
export function useLiveEvents(org: string, filters: EventFilters, after: string | undefined, isReady: boolean): LiveEvents {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [state, setState] = useState<LiveEvents['state']>('off');
  const query = new URLSearchParams(
    Object.entries({ ...queryOf(filters), after: after ?? '' }).flatMap(([name, value]) =>
      value ? [[name, String(value)]] : [],
    ),
  ).toString();
  const isOn = Boolean(filters.live) && isReady;

  useEffect(() => {
    if (!isOn) return;
    const source = new EventSource(`/v1/organizations/${org}/events/stream?${query}`);
    source.addEventListener('open', () => setState('connected'));
    source.addEventListener('error', () => setState('reconnecting'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      // The id of a message without data contains only a position.
      if (data) setEvents((before) => [JSON.parse(data) as Event, ...before].slice(0, LIVE_EVENTS_MAX));
    });
    return () => {
      source.close();
      setEvents([]);
      setState('off');
    };
  }, [isOn, org, query]);

  return { events, state };
}

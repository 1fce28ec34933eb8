import { useEffect, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { type EventFilters, parametersOf } from './event-filters';

type Event = Schema<'EventResponse'>;

const LIVE_EVENTS_MAX = 200;
const REOPEN_AFTER_MS = 3_000;

/** Events from the stream, newest first, and the state of the connection. */
export interface LiveEvents {
  readonly events: readonly Event[];
  readonly state: 'off' | 'connected' | 'reconnecting';
}

/** Streams events after the event `after` while the live view is on. No event is lost with a connection. */
export function useLiveEvents(org: string, filters: EventFilters, after: string | undefined, isReady: boolean): LiveEvents {
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [state, setState] = useState<LiveEvents['state']>('off');
  const query = parametersOf(filters).toString();
  const isOn = Boolean(filters.live) && isReady;

  useEffect(() => {
    if (!isOn) return;
    const stop = openStream(`/v1/organizations/${org}/events/stream?${query}`, after, {
      onState: setState,
      onEvent: (event) => setEvents((before) => [event, ...before].slice(0, LIVE_EVENTS_MAX)),
    });
    return () => {
      stop();
      setEvents([]);
      setState('off');
    };
  }, [isOn, org, query, after]);

  return { events, state };
}

interface Listeners {
  readonly onState: (state: LiveEvents['state']) => void;
  readonly onEvent: (event: Event) => void;
}

/**
 * Opens the stream after an event. After a lost connection, the browser reconnects with the id of the last event. It gives up after a response
 * with an error status, such as 503 or 401; then opens the stream again. Returns a function that closes the stream.
 */
function openStream(address: string, after: string | undefined, { onState, onEvent }: Listeners): () => void {
  let source: EventSource;
  let timer: number | undefined;
  let lastId = after;
  let isStopped = false;
  const open = (): void => {
    source = new EventSource(`${address}&${new URLSearchParams(lastId ? { after: lastId } : {})}`);
    source.addEventListener('open', () => onState('connected'));
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      // The id of a message without data contains only a position.
      if (!data) return;
      const event = JSON.parse(data) as Event;
      lastId = event.id;
      onEvent(event);
    });
    source.addEventListener('error', () => {
      onState('reconnecting');
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(() => void reopen(), REOPEN_AFTER_MS);
    });
  };
  /** Opens the stream again. The request asks the user to sign in again if the session has ended. */
  const reopen = async (): Promise<void> => {
    try {
      await unwrap(api.GET('/v1/auth/session'));
      if (!isStopped) open();
    } catch (error) {
      const canRetry = error instanceof ApiProblem && error.isTemporary && !isStopped;
      if (canRetry) timer = window.setTimeout(() => void reopen(), REOPEN_AFTER_MS);
      else onState('off');
    }
  };
  open();
  return () => {
    isStopped = true;
    window.clearTimeout(timer);
    source.close();
  };
}

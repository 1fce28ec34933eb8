import type { TestApp } from './app.js';
import type { TestBody } from './http-client.js';

export interface WrittenEvent {
  type: string;
  organization: { id: string; name: string };
  data: TestBody;
}

/** Returns the events that are inserted while `run` runs, in the order of insertion. */
export async function eventsDuring(app: TestApp, run: () => Promise<unknown>): Promise<WrittenEvent[]> {
  const [{ last }] = (await app.database.query<{ last: string }>('SELECT coalesce(max(seq), 0) AS last FROM events')) as [
    { last: string },
  ];
  await run();
  const rows = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE seq > $1 ORDER BY seq', [last]);
  return rows.map(({ payload }) => {
    const { type, organization, data } = JSON.parse(payload);
    return { type, organization, data };
  });
}

/** Returns the types of the events that are inserted while `run` runs. */
export const typesDuring = async (app: TestApp, run: () => Promise<unknown>): Promise<string[]> =>
  (await eventsDuring(app, run)).map(({ type }) => type);

/** Returns the result of `run`, and the events that are inserted while it runs. */
export async function withEvents<Result>(app: TestApp, run: () => Promise<Result>): Promise<[Result, WrittenEvent[]]> {
  let result: Result;
  const events = await eventsDuring(app, async () => (result = await run()));
  return [result!, events];
}

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const ENDED_SESSION_ROW = row({
  eventId: column.text(),
  userId: column.nullable(column.text()),
  sessionId: column.nullable(column.text()),
  reason: column.nullable(column.text()),
});

/** Whose session ended, and why. */
export type EndedSession = Omit<RowOf<typeof ENDED_SESSION_ROW>, 'eventId'>;

/** Reads the events of logout deliveries. */
@Injectable()
export class EndedSessionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the ended sessions by the ids of their events, without events that retention deleted. */
  async mapByEvent(
    ctx: RequestContext,
    tenantId: string,
    eventIds: readonly string[],
  ): Promise<ReadonlyMap<string, EndedSession>> {
    const rows = await this.query(
      ctx,
      ENDED_SESSION_ROW,
      `SELECT id AS "eventId", payload::jsonb #>> '{data,userId}' AS "userId", payload::jsonb #>> '{data,sessionId}' AS "sessionId",
         payload::jsonb #>> '{data,reason}' AS reason
       FROM events WHERE tenant_id = $1 AND id = ANY ($2::text[])`,
      [tenantId, eventIds],
    );
    return new Map(rows.map(({ eventId, ...session }) => [eventId, session]));
  }
}

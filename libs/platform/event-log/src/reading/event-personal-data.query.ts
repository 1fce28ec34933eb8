import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import type { EventPayload } from '#platform/events';
import { DataSource } from 'typeorm';

const EVENTS = definePersonalData('events', {
  description:
    'Events of the event log that are about the user or that the user caused, oldest first. Data of other users is left out: `data` is null if the event is not about the user, and addresses are null if the user did not cause the event.',
  tables: ['events'],
  fields: {
    id: field.text('Id of the event.', 'evt_01kf2bgwd8f5m2q7r4x1v9b3ht'),
    type: field.text('Type of the event.', 'user.login'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    timestamp: field.text('Time of the event.', '2026-01-15T09:00:00.000Z'),
    isAboutUser: field.boolean('Whether the event is about the user.'),
    isCausedByUser: field.boolean('Whether the user caused the event.'),
    data: field.nullableObject('Data of an event about the user.', { method: 'password' }),
    ipAddress: field.nullableText('IP address of the request, if the user caused the event.', '203.0.113.7'),
    userAgent: field.nullableText('User agent of the request, if the user caused the event.', 'Mozilla/5.0 …'),
  },
});

const EVENT_ROW = row({
  position: column.digits(),
  payload: column.text(),
  isAboutUser: column.boolean(),
  isCausedByUser: column.boolean(),
});
const BATCH_SIZE = 500;

/** Returns the SQL of the next events with a condition for the user $2 in tenant $1, in the order of an index. */
const nextEvents = (isOfUser: string) => `(SELECT e.position, e.payload, coalesce(e.user_id = $2, false) AS "isAboutUser",
    coalesce(e.actor_id = $2, false) AS "isCausedByUser" FROM events e
  WHERE e.tenant_id = $1 AND ${isOfUser} AND e.position IS NOT NULL AND e.position > $3::bigint
    AND ($4::text[] IS NULL OR e.organization_id = ANY ($4) OR e.ancestor_ids && $4)
  ORDER BY e.position LIMIT ${BATCH_SIZE})`;

/** Reads the events of a user for the export of the user, in batches. */
@Injectable()
export class EventPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(EVENTS, (ctx, subject) => this.read(ctx, subject));
  }

  private async *read(ctx: RequestContext, subject: DataSubject): AsyncGenerator<RowOf<typeof EVENTS.row>[]> {
    for (const tenantId of subject.tenantIds) {
      for (let after = '0'; ;) {
        const events = await this.query(
          ctx,
          EVENT_ROW,
          `${nextEvents('e.user_id = $2')} UNION ALL ${nextEvents('e.actor_id = $2 AND e.user_id IS DISTINCT FROM $2')}
           ORDER BY position LIMIT ${BATCH_SIZE}`,
          [tenantId, subject.id, after, subject.organizationIds],
        );
        yield events.map(exportedEvent);
        const last = events.at(-1);
        if (!last || events.length < BATCH_SIZE) break;
        after = last.position;
      }
    }
  }
}

function exportedEvent({ payload, isAboutUser, isCausedByUser }: RowOf<typeof EVENT_ROW>): RowOf<typeof EVENTS.row> {
  const { id, type, timestamp, organization, data, metadata } = JSON.parse(payload) as EventPayload;
  return {
    id,
    type,
    organizationId: organization.id,
    timestamp,
    isAboutUser,
    isCausedByUser,
    data: isAboutUser ? data : null,
    ipAddress: (isCausedByUser && metadata?.ipAddress) || null,
    userAgent: (isCausedByUser && metadata?.userAgent) || null,
  };
}

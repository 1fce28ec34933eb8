import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type AuthorizeAgain, csvLines } from '#platform/http';
import { EventLogQuery } from './event-log.query.js';
import { type EventExportFormat, eventFilterOf, type ExportEventsQuery } from './event-log.requests.js';
import { EventResponse } from './event-log.responses.js';

/** Number of events in a piece. Garbage collection frees small pieces in the young generation of the heap. */
const BATCH_SIZE = 200;

const COLUMNS: Readonly<Record<string, (event: EventResponse) => string | null | undefined>> = {
  position: ({ position }) => String(position),
  id: ({ id }) => id,
  timestamp: ({ timestamp }) => timestamp,
  type: ({ type }) => type,
  organizationId: ({ organization }) => organization.id,
  organizationName: ({ organization }) => organization.name,
  actorType: ({ actor }) => actor?.type,
  actorId: ({ actor }) => actor?.id,
  actorEmail: ({ actor }) => actor?.email,
  actorName: ({ actor }) => actor?.name,
  clientId: ({ actor }) => actor?.client?.id,
  impersonatorId: ({ actor }) => actor?.impersonator?.id,
  ipAddress: ({ metadata }) => metadata?.ipAddress,
  userAgent: ({ metadata }) => metadata?.userAgent,
  source: ({ metadata }) => metadata?.source,
  requestId: ({ metadata }) => metadata?.requestId,
  data: ({ data }) => JSON.stringify(data),
  chainHash: ({ chainHash }) => chainHash,
  redactedAt: ({ redactedAt }) => redactedAt,
};

export const EVENT_EXPORT_HEADER = csvLines([Object.keys(COLUMNS)]);

/** Exports the events of an organization that match filters, oldest first. */
@Injectable()
export class EventExportService {
  constructor(
    private readonly eventLog: EventLogQuery,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Returns the events up to the start of the export, in pieces of up to 200 events. Authorizes the caller again before each piece but the
   * first.
   * @throws ReauthenticationRequired (401)
   */
  async *run(ctx: RequestContext, query: ExportEventsQuery, authorizeAgain: AuthorizeAgain): AsyncGenerator<string> {
    assertRecentlyAuthenticated(ctx, this.work.now());
    const { format = 'ndjson', ...filters } = query;
    const organization = organizationOf(ctx);
    const { head, dropped } = await this.eventLog.getBounds(ctx, organization.tenantId);
    await this.publishExport(ctx, format, filters);
    if (format === 'csv') yield EVENT_EXPORT_HEADER;
    const filter = { ...eventFilterOf(filters), toPosition: head };
    for (let [reached, isFirst] = [dropped, true]; reached < head; isFirst = false) {
      if (!isFirst) await authorizeAgain();
      const { events, reachedPosition } = await this.eventLog.listAfter(ctx, organization, filter, reached, BATCH_SIZE);
      if (events.length > 0) yield linesOf(events.map(EventResponse.from), format);
      reached = reachedPosition;
    }
  }

  /** Leaves out the text of a search: it can be personal data, which would stay in the log when the user is permanently deleted. */
  private async publishExport(
    ctx: RequestContext,
    format: EventExportFormat,
    { search, ...filters }: ExportEventsQuery,
  ): Promise<void> {
    const data = { format, filters: { ...filters, ...(search ? { search: true } : {}) } };
    await this.work.run(ctx, (ctx) => this.work.publish(ctx, 'organization.events_exported', organizationOf(ctx), data));
  }
}

const linesOf = (events: readonly EventResponse[], format: EventExportFormat): string =>
  format === 'csv'
    ? csvLines(events.map((event) => Object.values(COLUMNS).map((cellOf) => cellOf(event) ?? '')))
    : events.map((event) => `${JSON.stringify(event)}\n`).join('');

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

/** The operator API for durable event handlers. test/delivery/event-subscribers.spec.ts tests the handlers. */
describe('/v1/event-subscribers', () => {
  const app = testApp({ role: 'api' });
  let tenantId: string;
  const eventId = newId('event');
  beforeAll(async () => {
    // No process handles events in this test, so a stopped subscriber stays stopped.
    tenantId = (await newOrganization(app)).id;
  });
  beforeEach(() => app.database.query('DELETE FROM event_subscriber_cursors'));

  const stop = (organizationId = tenantId) =>
    app.database.query(
      `INSERT INTO event_subscriber_cursors (tenant_id, subscriber, position, head, attempts, failed_event_id, failed_position, last_error, stopped_at)
       VALUES ($1, 'crm-sync', 3, 5, 10, $2, 4, 'The CRM is away.', now() - interval '1 hour')
       ON CONFLICT (tenant_id, subscriber) DO UPDATE SET position = 3, attempts = 10, failed_event_id = $2, failed_position = 4,
         last_error = EXCLUDED.last_error, due_at = NULL, stopped_at = EXCLUDED.stopped_at`,
      [organizationId, eventId],
    );
  const position = async (): Promise<unknown> =>
    (await app.database.query('SELECT position, stopped_at FROM event_subscriber_cursors WHERE tenant_id = $1', [tenantId]))[0];
  const resume = (body: object) => app.api.platform.post('/v1/event-subscribers/crm-sync/resume', body);

  it('returns stopped subscribers with the failed event', async () => {
    expect((await app.api.platform.get('/v1/event-subscribers').expect(200)).body).toEqual({ data: [] });
    await stop();
    const { body } = await app.api.platform.get('/v1/event-subscribers').expect(200);
    expect(Math.round(body.data[0].lagSeconds / 60)).toBe(60);
    expect(body.data).toEqual([
      {
        name: 'crm-sync',
        eventTypes: [],
        waitingEvents: 2,
        lagSeconds: expect.any(Number),
        stoppedCount: 1,
        stopped: [
          { organizationId: tenantId, eventId, attempts: 10, error: 'The CRM is away.', stoppedAt: expect.stringMatching(/Z$/) },
        ],
      },
    ]);
  });

  it('resumes a subscriber at or after the failed event', async () => {
    await stop();
    await resume({ organizationId: tenantId }).expect(204);
    expect(await position()).toEqual({ position: '3', stopped_at: null });
    await stop();
    await resume({ organizationId: tenantId, skipEvent: true }).expect(204);
    expect(await position()).toEqual({ position: '4', stopped_at: null });
  });

  it('rejects resuming a subscriber that is not stopped', async () => {
    await stop();
    const elsewhere = await resume({ organizationId: newId('organization') }).expect(409);
    expect(elsewhere.body).toMatchObject({
      code: 'event_subscriber_not_stopped',
      detail: 'The event subscriber "crm-sync" is not stopped for this organization.',
    });
    const unknown = await app.api.platform
      .post('/v1/event-subscribers/erp-sync/resume', { organizationId: tenantId })
      .expect(404);
    expect(unknown.body.code).toBe('event_subscriber_not_found');
    await resume({}).expect(400);
    await resume({ organizationId: tenantId, skipEvent: 'yes' }).expect(400);
  });
});

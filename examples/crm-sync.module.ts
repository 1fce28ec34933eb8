import { Injectable, Module } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type DomainEvent, OnDomainEvent } from '#platform/events';

/** Copies users to a CRM. */
@Injectable()
export class CrmSync {
  @OnDomainEvent(['user.created', 'user.updated'], { mode: 'durable', name: 'crm-sync' })
  async copyUser(_ctx: RequestContext, event: DomainEvent<'user.created' | 'user.updated'>): Promise<void> {
    const { id, email, firstName, lastName } = event.data;
    const response = await fetch(`${process.env['CRM_URL']}/contacts/${id}`, {
      method: 'PUT',
      // The same event can come twice, for example if the process is killed before it notes that the event is handled.
      headers: { 'content-type': 'application/json', 'idempotency-key': event.id },
      // Users can lack a first or last name.
      body: JSON.stringify({ email, name: [firstName, lastName].filter(Boolean).join(' ') }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`The CRM answered with status ${response.status}.`);
  }
}

@Module({ providers: [CrmSync] })
export class CrmSyncModule {}

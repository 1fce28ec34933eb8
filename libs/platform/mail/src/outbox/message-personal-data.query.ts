import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const MESSAGES = definePersonalData('messages', {
  description: 'Emails and text messages to the current email address and phone number of the user, without their content.',
  tables: ['messages'],
  fields: {
    channel: field.text('`email` or `sms`.', 'email'),
    template: field.text('Kind of the message.', 'password_reset'),
    recipient: field.text('Email address or phone number.', 'jane.doe@example.com'),
    status: field.text('`pending`, `sending`, `sent` or `failed`.', 'sent'),
    createdAt: field.time('Time of the creation.'),
    sentAt: field.nullableTime('Time at which the message was sent.'),
  },
});

/** Reads the messages to a user for the export of the user. */
@Injectable()
export class MessagePersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(MESSAGES, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(
    ctx: RequestContext,
    { tenantIds, organizationIds, email, phoneNumber }: DataSubject,
  ): Promise<RowOf<typeof MESSAGES.row>[]> {
    const rows: RowOf<typeof MESSAGES.row>[] = [];
    for (const tenantId of tenantIds) {
      const found = await this.query(
        ctx,
        MESSAGES.row,
        `SELECT m.channel, m.template, m.recipient, m.status, m.created_at AS "createdAt", m.sent_at AS "sentAt" FROM messages m
         WHERE m.tenant_id = $1 AND m.recipient IN ($2, $3) AND ($4::text[] IS NULL OR m.organization_id IS NULL OR EXISTS (
           SELECT FROM organizations o WHERE o.tenant_id = $1 AND o.id = m.organization_id
             AND (o.id = ANY ($4) OR o.ancestor_ids && $4)))
         ORDER BY m.id`,
        [tenantId, email, phoneNumber, organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { type MailRecipient, OwnerAddresses } from '#directory/organizations';
import { OWNER_ROLE_ID } from '#directory/roles';
import { DataSource } from 'typeorm';

/** Maximum number of owners who receive an email. */
const OWNERS_MAX = 20;

const RECIPIENT = { email: column.text(), locale: column.nullable(column.text()) };
const OWNER_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  email: column.nullable(RECIPIENT.email),
  locale: RECIPIENT.locale,
});
const GUEST_ROW = row({ id: column.text(), ...RECIPIENT });

/**
 * Finds the recipients of emails about an organization: the owners of the organization or, without owners, of the nearest ancestor with an
 * owner.
 */
@Injectable()
export class OwnerAddressesQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly port: OwnerAddresses,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.port.register((ctx, organization) => this.find(ctx, organization));
  }

  private async find(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: Pick<OrganizationScope, 'tenantId' | 'id' | 'ancestorIds'>,
  ): Promise<MailRecipient[]> {
    for (const organizationId of [id, ...[...ancestorIds].reverse()]) {
      const owners = await this.query(
        ctx,
        OWNER_ROW,
        `SELECT r.user_id AS id, e.user_tenant_id AS "tenantId", u.email, u.locale FROM role_assignments r
         JOIN directory_entries e ON (e.tenant_id, e.organization_id, e.user_id) = (r.tenant_id, r.organization_id, r.user_id)
         LEFT JOIN users u ON u.tenant_id = r.tenant_id AND u.id = r.user_id
         WHERE r.tenant_id = $1 AND r.organization_id = $2 AND r.role_id = $3 AND r.user_status NOT IN ('deleted', 'suspended')
         ORDER BY r.user_id LIMIT ${OWNERS_MAX}`,
        [tenantId, organizationId, OWNER_ROLE_ID],
      );
      if (owners.length > 0) return this.recipientsOf(ctx, owners);
    }
    return [];
  }

  /** Returns the owners as recipients. Reads owners of other tenants, who are guests, with a second statement. */
  private async recipientsOf(ctx: RequestContext, owners: readonly RowOf<typeof OWNER_ROW>[]): Promise<MailRecipient[]> {
    const guests = owners.filter(({ email }) => email === null);
    if (guests.length === 0) return owners.flatMap(toRecipient);
    const rows = await this.query(
      ctx,
      GUEST_ROW,
      'SELECT u.id, u.email, u.locale FROM users u WHERE u.tenant_id = ANY ($1) AND u.id = ANY ($2)',
      [[...new Set(guests.map(({ tenantId }) => tenantId))], guests.map(({ id }) => id)],
    );
    const found = new Map(rows.map((guest) => [guest.id, guest]));
    return owners.flatMap((owner) => toRecipient(found.get(owner.id) ?? owner));
  }
}

/** Returns the recipient as an array, which is empty if the user was purged between the two statements. */
const toRecipient = ({ email, locale }: Pick<RowOf<typeof OWNER_ROW>, 'email' | 'locale'>): MailRecipient[] =>
  email === null ? [] : [{ email, locale }];

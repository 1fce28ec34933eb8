import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { type MailRecipient, OwnerAddresses } from '#directory/organizations';
import { OWNER_ROLE_ID } from '#directory/roles';
import { DataSource } from 'typeorm';

/** Maximum number of owners who receive an email. */
const OWNERS_MAX = 20;

const RECIPIENT_ROW = row({ email: column.text(), locale: column.nullable(column.text()) });

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
        RECIPIENT_ROW,
        `SELECT u.email, u.locale FROM role_assignments r
         JOIN directory_entries e ON (e.tenant_id, e.organization_id, e.user_id) = (r.tenant_id, r.organization_id, r.user_id)
         JOIN users u ON u.tenant_id = e.user_tenant_id AND u.id = r.user_id
         WHERE r.tenant_id = $1 AND r.organization_id = $2 AND r.role_id = $3 AND r.user_status NOT IN ('deleted', 'suspended')
         ORDER BY r.user_id LIMIT ${OWNERS_MAX}`,
        [tenantId, organizationId, OWNER_ROLE_ID],
      );
      if (owners.length > 0) return owners;
    }
    return [];
  }
}

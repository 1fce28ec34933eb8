import type { OwnerFlag } from '#directory/memberships';
import type { FormatName } from '#webhooks/formats';
import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { PayloadFilter } from './payload-filter.js';

/** What disabled a webhook: a person, lasting failures, a response 410 of the destination, or the state of its owner. */
export const DISABLED_REASONS = ['hand', 'failures', 'gone', 'owner'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A destination for events. Rows of deleted webhooks stay, because earlier events are matched with deleted webhooks. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  @Column('text') url!: string;
  @Column('text') format!: FormatName;
  @Column('text', { array: true }) events!: string[];
  @Column('boolean') enabled!: boolean;
  @Column('text', { name: 'disabled_by', nullable: true }) disabledBy!: DisabledReason | null;
  @Column('timestamptz', { name: 'disabled_at', nullable: true }) disabledAt!: Date | null;
  @Column('boolean', { name: 'include_descendants' }) includeDescendants!: boolean;
  /** Maximum number of deliveries per second, or null without a limit. */
  @Column('integer', { name: 'rate_limit', nullable: true }) rateLimit!: number | null;
  @Column('jsonb', { nullable: true }) filter!: PayloadFilter | null;
  @Column('text', { name: 'secret_sealed' }) secretSealed!: string;
  /** The secret that takes effect at `nextSecretAt`. */
  @Column('text', { name: 'next_secret_sealed', nullable: true }) nextSecretSealed!: string | null;
  @Column('timestamptz', { name: 'next_secret_at', nullable: true }) nextSecretAt!: Date | null;
  @Column('text', { name: 'headers_sealed', nullable: true }) headersSealed!: string | null;
  /**
   * Tenant of the owner. The owner is the user who last set the destination or selected the events, possibly with an API key. Null for
   * a platform key. The owner can be a guest from another tenant.
   */
  @Column('text', { name: 'owner_tenant_id', nullable: true }) ownerTenantId!: string | null;
  @Column('text', { name: 'owner_id', nullable: true }) ownerId!: string | null;
  @Column('text', { nullable: true }) flag!: OwnerFlag | null;
  @Column('timestamptz', { name: 'flagged_at', nullable: true }) flaggedAt!: Date | null;
  /**
   * Positions in the sequence of events, set by the database. The webhook receives the events between `createdSeq` and `deletedSeq`.
   */
  @Column({ type: 'bigint', name: 'created_seq', insert: false, update: false }) createdSeq!: string;
  @Column({ type: 'bigint', name: 'deleted_seq', nullable: true, insert: false, update: false }) deletedSeq!: string | null;
  /** The setup link that created the row, or null. A setup link sees only rows that it created. */
  @Column('text', { name: 'setup_link_id', nullable: true }) setupLinkId!: string | null;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

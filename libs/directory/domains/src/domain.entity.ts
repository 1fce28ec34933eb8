import { Column, Entity, PrimaryColumn, Unique, VersionColumn } from 'typeorm';

export const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/** The reason why the last check did not verify a domain. */
export const DOMAIN_CHECK_ERRORS = ['record_missing', 'dns_unavailable', 'domain_taken'] as const;
export type DomainCheckError = (typeof DOMAIN_CHECK_ERRORS)[number];

/** A domain that an organization verifies with a DNS record. */
@Entity('domains')
@Unique('domains_name_key', ['tenantId', 'organizationId', 'name'])
export class Domain {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  /** In ASCII (punycode), lowercase. */
  @Column('text') name!: string;
  /** The secret part of the DNS record. Not a credential: the record is public. */
  @Column('text') token!: string;
  @Column('text') status!: DomainStatus;
  @Column('text', { name: 'last_error', nullable: true }) lastError!: DomainCheckError | null;
  @Column('timestamptz', { name: 'verified_at', nullable: true }) verifiedAt!: Date | null;
  @Column('timestamptz', { name: 'checked_at', nullable: true }) checkedAt!: Date | null;
  /** The first failed check since the last successful one. */
  @Column('timestamptz', { name: 'failing_since', nullable: true }) failingSince!: Date | null;
  /** The time of the next automatic check. Null: only by request. */
  @Column('timestamptz', { name: 'next_check_at', nullable: true }) nextCheckAt!: Date | null;
  /** The setup link that created the row, or null. A setup link sees only rows that it created. */
  @Column('text', { name: 'setup_link_id', nullable: true }) setupLinkId!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

import type { Metadata } from '#platform/common';
import type { UserStatus } from '#directory/memberships';
import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

/** A user, managed by one organization and a member of any number of organizations. */
@Entity('users')
export class User {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  /** The organization that manages the user. */
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  /** The email address as entered. Comparisons use `emailKey`. */
  @Column('text') email!: string;
  @Column('text', { name: 'email_key' }) emailKey!: string;
  @Column('boolean', { name: 'email_verified' }) emailVerified!: boolean;
  /**
   * Whether the owner of the address confirmed it with a mailed link, or a trusted identity provider or directory vouched for the owner. An
   * import can only claim `emailVerified`. See `UnconfirmedAccessService`.
   */
  @Column('boolean', { name: 'email_confirmed', default: false }) emailConfirmed!: boolean;
  @Column('text', { name: 'first_name', nullable: true }) firstName!: string | null;
  @Column('text', { name: 'last_name', nullable: true }) lastName!: string | null;
  @Column('text', { name: 'display_name', nullable: true }) displayName!: string | null;
  @Column('text', { nullable: true }) picture!: string | null;
  @Column('text', { name: 'phone_number', nullable: true }) phoneNumber!: string | null;
  @Column('boolean', { name: 'phone_verified' }) phoneVerified!: boolean;
  /** The language of emails and pages: a BCP 47 tag in canonical form. */
  @Column('text', { nullable: true }) locale!: string | null;
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;
  /** Id of the SCIM connection that provisions the user. Null if the user is managed with the API. */
  @Column('text', { name: 'managed_by', nullable: true }) managedBy!: string | null;
  @Column('text') status!: UserStatus;
  /** The status before the deletion. A restore sets this status again. */
  @Column('text', { name: 'status_before_deletion', nullable: true }) statusBeforeDeletion!: UserStatus | null;
  @Column('boolean', { name: 'mfa_enabled' }) mfaEnabled!: boolean;
  @Column('text', { name: 'mfa_methods', array: true }) mfaMethods!: string[];
  @Column('jsonb') metadata!: Metadata;
  @Column('timestamptz', { name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column('text', { name: 'suspended_reason', nullable: true }) suspendedReason!: string | null;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  @Column('timestamptz', { name: 'last_login_at', nullable: true }) lastLoginAt!: Date | null;
  @Column('timestamptz', { name: 'last_password_change_at', nullable: true }) lastPasswordChangeAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  /** Ids of the other tenants in which the user is or was a guest. All rows about the user are in these tenants and in `tenantId`. */
  @Column('text', { name: 'guest_tenant_ids', array: true, default: [] }) guestTenantIds!: string[];
  @VersionColumn() version!: number;
}

import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

export const SCIM_MODES = ['preview', 'applying', 'active', 'stopped', 'rolling_back'] as const;
/**
 * `preview`: changes are only recorded. `applying`: the recorded changes are applied. `active`: changes apply at once. `stopped`: changes are
 * rejected, because a limit was exceeded. `rolling_back`: users are restored.
 */
export type ScimMode = (typeof SCIM_MODES)[number];

/** A connection with which the directory of a customer provisions the users and groups of an organization. */
@Entity('scim_connections')
export class ScimConnection {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') name!: string;
  /** Whether the connection can take over existing users with addresses of verified domains. */
  @Column('boolean', { name: 'adopt_existing_users' }) adoptExistingUsers!: boolean;
  /** Whether the API and the dashboard can change users and groups of the connection. */
  @Column('boolean', { name: 'allow_local_changes' }) allowLocalChanges!: boolean;
  @Column('text') mode!: ScimMode;
  /** Maximum number of users whom the connection can suspend or delete within an hour; null for no limit. */
  @Column('integer', { name: 'max_removals', nullable: true }) maxRemovals!: number | null;
  /** The same as a percentage of the active users of the connection. */
  @Column('integer', { name: 'max_removal_percent', nullable: true }) maxRemovalPercent!: number | null;
  @Column('timestamptz', { name: 'limits_paused_until', nullable: true }) limitsPausedUntil!: Date | null;
  @Column('timestamptz', { name: 'stopped_at', nullable: true }) stoppedAt!: Date | null;
  /** Number of users whom the last roll-back restored. */
  @Column('integer', { name: 'restored_users' }) restoredUsers!: number;
  /** The setup link that created the row, or null. A setup link sees only rows that it created. */
  @Column('text', { name: 'setup_link_id', nullable: true }) setupLinkId!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

import type { Metadata } from '#platform/common';
import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { SettingField, SettingsOverrides } from './settings/settings.js';

export type OrganizationStatus = 'active' | 'suspended' | 'pending';
export type OrganizationType = 'standard' | 'enterprise';

/** Color and images for emails and sign-in pages. */
export interface Branding {
  primaryColor?: string;
  logo?: string;
  favicon?: string;
}

/** An organization. A tenant is a root organization with its descendants. An organization can be moved, but never to another tenant. */
@Entity('organizations')
export class Organization {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'parent_id', nullable: true }) parentId!: string | null;
  /** Ids of the ancestors, from the root organization to the parent. */
  @Column('text', { name: 'ancestor_ids', array: true }) ancestorIds!: string[];
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') type!: OrganizationType;
  @Column('text') status!: OrganizationStatus;
  @Column('text', { nullable: true }) logo!: string | null;
  @Column('jsonb', { nullable: true }) branding!: Branding | null;
  @Column('jsonb') metadata!: Metadata;
  /** The settings that this organization sets itself. `resolveSettings` returns the effective settings. */
  @Column('jsonb', { name: 'settings_overrides' }) settingsOverrides!: SettingsOverrides;
  /** Settings that descendants can't override. */
  @Column('text', { name: 'locked_settings', array: true }) lockedSettings!: SettingField[];
  @Column('text', { name: 'search_text' }) searchText!: string;
  @Column('timestamptz', { name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column('text', { name: 'suspended_reason', nullable: true }) suspendedReason!: string | null;
  /**
   * `platform`, or the id of the topmost organization that the suspending caller had access to. A caller with a lower level can't end the
   * suspension.
   */
  @Column('text', { name: 'suspended_by', nullable: true }) suspendedBy!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  /** Event sequence number of the deletion. Webhooks of the organization don't receive events with a greater number. */
  @Column('bigint', { name: 'deleted_seq', nullable: true }) deletedSeq!: string | null;
  /** Id of the organization that the deletion request named: this organization or an ancestor. */
  @Column('text', { name: 'deletion_root_id', nullable: true }) deletionRootId!: string | null;
  @VersionColumn() version!: number;
}

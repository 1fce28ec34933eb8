import type { Metadata } from '#platform/common';
import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';
import type { SettingField, SettingsOverrides } from './settings/settings.js';

export type OrganizationStatus = 'active' | 'suspended' | 'pending';
export type OrganizationType = 'standard' | 'enterprise';

/** Colours and pictures for mails and pages. */
export interface Branding {
  primaryColor?: string;
  logo?: string;
  favicon?: string;
}

/** A node of a tree; the root is the tenant. Its place in the tree never changes. */
@Entity('organizations')
export class Organization {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'parent_id', nullable: true }) parentId!: string | null;
  /** From the root down to the parent. */
  @Column('text', { name: 'ancestor_ids', array: true }) ancestorIds!: string[];
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') type!: OrganizationType;
  @Column('text') status!: OrganizationStatus;
  @Column('text', { nullable: true }) logo!: string | null;
  @Column('jsonb', { nullable: true }) branding!: Branding | null;
  @Column('jsonb') metadata!: Metadata;
  /** Only what this organization sets itself; effective values come from the whole chain. */
  @Column('jsonb', { name: 'settings_overrides' }) settingsOverrides!: SettingsOverrides;
  /** Settings that organizations below may not override. */
  @Column('text', { name: 'locked_settings', array: true }) lockedSettings!: SettingField[];
  @Column('text', { name: 'search_text' }) searchText!: string;
  @Column('timestamptz', { name: 'suspended_at', nullable: true }) suspendedAt!: Date | null;
  @Column('text', { name: 'suspended_reason', nullable: true }) suspendedReason!: string | null;
  /** `platform`, or the id of the organization whose key or user did it: those below can't undo it. */
  @Column('text', { name: 'suspended_by', nullable: true }) suspendedBy!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('timestamptz', { name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  /** Number in the events' sequence: later events don't reach this organization's webhooks. */
  @Column('bigint', { name: 'deleted_seq', nullable: true }) deletedSeq!: string | null;
  /** The organization whose deletion took this one along. */
  @Column('text', { name: 'deletion_root_id', nullable: true }) deletionRootId!: string | null;
  @VersionColumn() version!: number;
}

import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

export interface ResourceScope {
  readonly name: string;
  readonly description: string | null;
}

/** An API of a customer or of the platform, which accepts access tokens of this service. */
@Entity('oauth_resources')
export class OAuthResource {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  /** Null for resources of the platform. */
  @Column('text', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  /** The audience (`aud`) of the access tokens. Unique across all tenants, so that a token names one API only. */
  @Column('text') identifier!: string;
  @Column('text') name!: string;
  @Column('jsonb') scopes!: readonly ResourceScope[];
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

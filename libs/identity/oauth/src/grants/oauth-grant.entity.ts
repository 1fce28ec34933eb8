import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ResourceScopes } from '../clients/oauth-client.entity.js';

/** What a user allowed a client to do in one organization. In the tenant of this organization. */
@Entity('oauth_grants')
export class OAuthGrant {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text', { name: 'client_tenant_id' }) clientTenantId!: string;
  @Column('text', { name: 'client_id' }) clientId!: string;
  @Column('text', { name: 'user_tenant_id' }) userTenantId!: string;
  @Column('text', { name: 'user_id' }) userId!: string;
  /** Scopes of OpenID Connect. */
  @Column('text', { array: true }) scopes!: string[];
  @Column('jsonb', { name: 'resource_scopes' }) resourceScopes!: ResourceScopes;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  /** Updated when a code is issued. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
}

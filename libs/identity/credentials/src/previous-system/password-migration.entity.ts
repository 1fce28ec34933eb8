import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

/** Until when and where the previous system of an organization confirms passwords of users who have none here. */
@Entity('password_migrations')
export class PasswordMigration {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'organization_id' }) organizationId!: string;
  @Column('text') url!: string;
  /** The secret of the signatures, in the format of Standard Webhooks. */
  @Column('text', { name: 'secret_sealed' }) secretSealed!: string;
  @Column('timestamptz', { name: 'ends_at' }) endsAt!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

/** Binds the encrypted secret to its organization. */
export const migrationSecretContext = (organizationId: string): string => `password_migrations|secret|${organizationId}`;

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The password of a user. A user without a password has no row. */
@Entity('user_credentials')
export class UserCredential {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text', { name: 'password_hash' }) passwordHash!: string;
  @Column('timestamptz', { name: 'password_changed_at' }) passwordChangedAt!: Date;
}

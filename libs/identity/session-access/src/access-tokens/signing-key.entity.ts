import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key pair that signs access tokens from `signsFrom` until the next key starts. Keys belong to no tenant. */
@Entity('signing_keys')
export class SigningKey {
  /** The thumbprint of the key (RFC 7638). */
  @PrimaryColumn('text') kid!: string;
  @Column('jsonb', { name: 'public_jwk' }) publicJwk!: JWK;
  @Column('text', { name: 'private_jwk_sealed' }) privateJwkSealed!: string;
  @Column('timestamptz', { name: 'signs_from' }) signsFrom!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

import type { JWK } from 'jose';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** ES256 is ECDSA with P-256 and SHA-256; RS256 is RSASSA-PKCS1-v1_5, for relying parties that know nothing else (RFC 7518). */
export type SigningAlgorithm = 'ES256' | 'RS256';

/** A key pair that signs access tokens from `signsFrom` until the next key of the algorithm starts. Keys belong to no tenant. */
@Entity('signing_keys')
export class SigningKey {
  /** The thumbprint of the key (RFC 7638). */
  @PrimaryColumn('text') kid!: string;
  @Column('text', { default: 'ES256' }) algorithm!: SigningAlgorithm;
  @Column('jsonb', { name: 'public_jwk' }) publicJwk!: JWK;
  @Column('text', { name: 'private_jwk_sealed' }) privateJwkSealed!: string;
  @Column('timestamptz', { name: 'signs_from' }) signsFrom!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys that sign access tokens. Keys belong to the service, not to a tenant. The private part is encrypted. */
export class SigningKeys1790000060000 implements MigrationInterface {
  readonly name = 'SigningKeys1790000060000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE signing_keys (
        kid text COLLATE "C" NOT NULL,
        public_jwk jsonb NOT NULL,
        private_jwk_sealed text NOT NULL,
        signs_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT signing_keys_pkey PRIMARY KEY (kid)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE signing_keys');
  }
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  changesBetween,
  DomainError,
  type FieldProblemCode,
  InvalidRequest,
  organizationOf,
  type RequestContext,
} from '#platform/common';
import { SecretSealer, WEBHOOK_SECRET_PREFIX } from '#platform/crypto';
import { isUniqueViolation } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { destinationProblem, type DestinationProblem, NetworkPolicy } from '#platform/outbound';
import { type PolicyAuthorization, PrivilegesService } from '#directory/privileges';
import { isLoopbackUrl } from './loopback-url.js';
import { passwordMigrationData } from './password-migration.definitions.js';
import { migrationSecretContext, PasswordMigration } from './password-migration.entity.js';
import { PasswordMigrationRepository } from './password-migration.repository.js';
import type { UpdatePasswordMigrationRequest } from './password-migration.requests.js';

const MAX_DURATION_MS = 366 * 24 * 60 * 60_000;

const MESSAGES: Record<DestinationProblem['code'], string> = {
  url_invalid: 'url is not a valid URL. Use a URL such as https://auth.example.com/verify-password.',
  url_scheme: 'url must be an https URL, because passwords are sent to it.',
  url_credentials: 'url must not contain a user name or password. Verify the signature of the requests instead.',
  url_port: 'Port 0 is not allowed in url. Use another port, or none.',
  url_address:
    'url has an address that the service is not allowed to connect to: private, loopback, link-local, reserved or similar. ' +
    'Ask the operator to allow its network in WEBHOOK_ALLOWED_NETWORKS.',
};

/** The organization has no password migration. */
class PasswordMigrationNotFound extends DomainError {
  readonly code = 'password_migration_not_found';
  readonly kind = 'not_found';
  constructor() {
    super('This organization has no password migration. Set one with PATCH and the fields url and endsAt.');
  }
}

/** The configuration, and the secret if it is new. */
export interface ChangedMigration {
  readonly migration: PasswordMigration;
  readonly secret?: string;
}

/**
 * Configures which system confirms passwords of users who have none here. Who controls its URL learns passwords and can sign in as these
 * users, so all permissions in the organization and a fresh proof are needed.
 */
@Injectable()
export class PasswordMigrationsService {
  constructor(
    private readonly migrations: PasswordMigrationRepository,
    private readonly privileges: PrivilegesService,
    private readonly policy: NetworkPolicy,
    private readonly sealer: SecretSealer,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws PasswordMigrationNotFound (404) */
  async get(ctx: RequestContext): Promise<PasswordMigration> {
    const migration = await this.migrations.find(ctx, organizationOf(ctx));
    if (!migration) throw new PasswordMigrationNotFound();
    return migration;
  }

  /** @throws InvalidRequest (400), AllPermissionsRequired (403), ReauthenticationRequired (401) */
  async update(ctx: RequestContext, request: UpdatePasswordMigrationRequest): Promise<ChangedMigration> {
    const policy = this.authorize(ctx);
    if (request.url !== undefined) await this.assertUsable(request.url);
    this.assertEnd(request.endsAt);
    try {
      return await this.change(ctx, request, policy);
    } catch (error) {
      // Another request inserted the migration after this one had looked for it.
      if (!isUniqueViolation(error, 'password_migrations_pkey')) throw error;
      return this.change(ctx, request, policy);
    }
  }

  private change(
    ctx: RequestContext,
    request: UpdatePasswordMigrationRequest,
    policy: PolicyAuthorization,
  ): Promise<ChangedMigration> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const existing = await this.migrations.lock(ctx, organization);
      const migration = existing ?? this.newMigration(ctx, request);
      const before = existing ? passwordMigrationData(existing) : { url: null, endsAt: null };
      const isNewUrl = request.url !== undefined && request.url !== existing?.url;
      Object.assign(migration, { url: request.url ?? migration.url, endsAt: request.endsAt ?? migration.endsAt });
      const secret = !existing || isNewUrl || request.rotateSecret ? newSecret() : undefined;
      if (secret) migration.secretSealed = this.sealer.seal(secret, migrationSecretContext(organization.id));
      const data = passwordMigrationData(migration);
      const changes = changesBetween(before, data);
      if (Object.keys(changes).length === 0 && !secret) return { migration };
      migration.updatedAt = this.work.now();
      if (existing) await this.migrations.save(ctx, migration, policy);
      else await this.migrations.insert(ctx, migration, policy);
      const eventData = { ...data, signatureRenewed: secret !== undefined, changes };
      await this.work.publish(ctx, 'password_migration.updated', organization, eventData);
      return { migration, ...(secret ? { secret } : {}) };
    });
  }

  /** @throws PasswordMigrationNotFound (404), AllPermissionsRequired (403), ReauthenticationRequired (401) */
  async delete(ctx: RequestContext): Promise<void> {
    const policy = this.authorize(ctx);
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const migration = await this.migrations.lock(ctx, organization);
      if (!migration) throw new PasswordMigrationNotFound();
      await this.migrations.delete(ctx, migration, policy);
      await this.work.publish(ctx, 'password_migration.deleted', organization, passwordMigrationData(migration));
    });
  }

  private authorize(ctx: RequestContext): PolicyAuthorization {
    const change = { organization: organizationOf(ctx), setting: 'the password migration', needsAll: true };
    return this.privileges.authorizePolicies(ctx, [change]);
  }

  /** @throws InvalidRequest (400) */
  private newMigration(ctx: RequestContext, { url, endsAt }: UpdatePasswordMigrationRequest): PasswordMigration {
    const missing = [...(url === undefined ? ['url'] : []), ...(endsAt === undefined ? ['endsAt'] : [])];
    if (missing.length > 0) throw new InvalidRequest(missing.map((name) => problem(name, 'required', `${name} is required.`)));
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const now = this.work.now();
    const times = { endsAt: endsAt ?? now, createdAt: now, updatedAt: now };
    return Object.assign(new PasswordMigration(), { tenantId, organizationId, url: url ?? '', secretSealed: '', ...times });
  }

  /** @throws InvalidRequest (400) for a URL without TLS or with an address that the network policy does not allow */
  private async assertUsable(url: string): Promise<void> {
    const found = (await destinationProblem(url, this.policy))?.code;
    const code = found ?? (url.startsWith('https:') || isLoopbackUrl(url) ? undefined : 'url_scheme');
    if (code) throw new InvalidRequest([problem('url', code, MESSAGES[code])]);
  }

  /** @throws InvalidRequest (400) */
  private assertEnd(endsAt: Date | undefined): void {
    if (endsAt === undefined) return;
    const now = this.work.now();
    if (endsAt <= now) throw new InvalidRequest([problem('endsAt', 'not_in_future', 'endsAt must be in the future.')]);
    if (endsAt.getTime() - now.getTime() > MAX_DURATION_MS)
      throw new InvalidRequest([problem('endsAt', 'out_of_range', 'endsAt must be at most a year from now.')]);
  }
}

/** Returns a secret in the format of Standard Webhooks. */
const newSecret = (): string => WEBHOOK_SECRET_PREFIX + randomBytes(32).toString('base64');

const problem = (field: string, code: FieldProblemCode, message: string) => ({
  pointer: `/${field}`,
  in: 'body' as const,
  code,
  message,
});

import { Injectable, Logger } from '@nestjs/common';
import { Clock, covers, type OrganizationScope, type RequestContext } from '#platform/common';
import { isHashable, PasswordHasher } from '#platform/crypto';
import { UserGrantsQuery } from '#directory/memberships';
import type { UserWithOrganization } from '#directory/users';
import { PasswordsService } from '../passwords/passwords.service.js';
import type { PasswordMigration } from './password-migration.entity.js';
import { PasswordMigrationRepository } from './password-migration.repository.js';
import { PreviousSystemClient, PreviousSystemUnavailable } from './previous-system-client.service.js';

/** How long attempts of unknown addresses get the same response as attempts that the previous system could not decide. */
const UNAVAILABLE_MS = 30_000;

/** A sign-in whose password no stored hash confirmed. */
export interface UnconfirmedSignIn {
  readonly organization: OrganizationScope;
  readonly owner: UserWithOrganization | null;
  readonly hasHash: boolean;
  readonly password: string;
}

/** Confirms passwords of users without a password with the previous system of their organization, and stores the correct ones. */
@Injectable()
export class PreviousPasswordsService {
  private readonly logger = new Logger(PreviousPasswordsService.name);
  /** The organizations whose previous system did not respond, in this process, until when. */
  private readonly unavailable = new Map<string, number>();

  constructor(
    private readonly migrations: PasswordMigrationRepository,
    private readonly client: PreviousSystemClient,
    private readonly passwords: PasswordsService,
    private readonly grants: UserGrantsQuery,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a function that confirms the password, or undefined if no organization of the sign-in migrates passwords. The function resolves
   * to whether the password is correct. It is slow and must not run in a transaction or while holding a slot of a queue.
   * @throws PreviousSystemUnavailable (503), from the function
   */
  async prepare(ctx: RequestContext, signIn: UnconfirmedSignIn): Promise<(() => Promise<boolean>) | undefined> {
    const { organization, owner } = signIn;
    const ids = new Set([...organization.ancestorIds, organization.id, ...(owner ? [owner.managingOrganization.id] : [])]);
    const active = await this.migrations.listActive(ctx, organization.tenantId, [...ids], this.clock.now());
    if (active.length === 0) return undefined;
    const own = active.find(({ organizationId }) => organizationId === owner?.managingOrganization.id);
    return () => this.confirm(ctx, signIn, active, own);
  }

  private async confirm(
    ctx: RequestContext,
    { owner, hasHash, password }: UnconfirmedSignIn,
    active: readonly PasswordMigration[],
    own: PasswordMigration | undefined,
  ): Promise<boolean> {
    if (hasHash) return false;
    if (!owner || !own || !(await this.canConfirm(ctx, owner, password))) {
      // An outage must not reveal which addresses have an account.
      if (active.some(({ organizationId }) => this.isUnavailable(organizationId))) throw new PreviousSystemUnavailable();
      return false;
    }
    if (!(await this.ask(own, owner, password))) return false;
    await this.passwords.adopt(ctx, owner.user, await this.hasher.hash(password));
    return true;
  }

  /** The previous system confirms only active users who have permissions nowhere but in its organization and the descendants. */
  private async canConfirm(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    password: string,
  ): Promise<boolean> {
    if (user.status !== 'active' || !isHashable(password)) return false;
    const grants = await this.grants.listByUser(ctx, user);
    return grants.every(({ organizationId: id, ancestorIds }) => covers(managingOrganization.id, { id, ancestorIds }));
  }

  private async ask(migration: PasswordMigration, { user }: UserWithOrganization, password: string): Promise<boolean> {
    const { organizationId, url } = migration;
    try {
      const isCorrect = await this.client.isCorrect({ migration, user, password });
      this.unavailable.delete(organizationId);
      return isCorrect;
    } catch (error) {
      this.unavailable.set(organizationId, this.clock.now().getTime() + UNAVAILABLE_MS);
      const { cause } = error as Error;
      const reason = cause instanceof Error ? cause.message : 'There are too many requests.';
      this.logger.warn({ organizationId, url }, `The previous system could not check a password: ${reason}`);
      throw error;
    }
  }

  private isUnavailable(organizationId: string): boolean {
    const until = this.unavailable.get(organizationId);
    if (until === undefined) return false;
    if (until > this.clock.now().getTime()) return true;
    this.unavailable.delete(organizationId);
    return false;
  }
}

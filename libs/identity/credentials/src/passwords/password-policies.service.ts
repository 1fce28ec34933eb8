import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { EffectiveSettingsService, type PasswordPolicy } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import { CommonPasswords } from './common-passwords.js';
import { PasswordRefused } from './password-errors.js';
import { passwordViolations } from './password-policy-check.js';
import { PwnedPasswordsService } from './pwned-passwords.service.js';

@Injectable()
export class PasswordPoliciesService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly commonPasswords: CommonPasswords,
    private readonly pwnedPasswords: PwnedPasswordsService,
  ) {}

  async get(ctx: RequestContext, organization: OrganizationScope): Promise<PasswordPolicy> {
    return (await this.effectiveSettings.get(ctx, organization)).values.passwordPolicy;
  }

  /** @throws PasswordRefused (422) with a message for each violated rule */
  async assertAllowed(
    policy: PasswordPolicy,
    { user, managingOrganization }: UserWithOrganization,
    password: string,
  ): Promise<void> {
    const { email, firstName, lastName, displayName } = user;
    const names = [email, firstName, lastName, displayName, managingOrganization.name, managingOrganization.slug].filter(
      (name) => name !== null,
    );
    const violations = passwordViolations(password, policy, {
      names,
      isCommon: (candidate) => this.commonPasswords.has(candidate),
    });
    if (violations.length > 0) throw new PasswordRefused(violations);
    if (await this.pwnedPasswords.has(password)) throw new PasswordRefused([PWNED]);
  }
}

const PWNED = {
  code: 'pwned_password',
  message: 'This password appears in a list of leaked passwords, so it is easy to guess. Choose another one.',
} as const;

import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import { SsoRequirementService } from '#directory/users';
import { PasswordsService } from './passwords.service.js';

/** Confirms identities with passwords. A user who can sign in only with an identity provider can't use a stored password. */
@Injectable()
export class UsablePasswordsService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  async isSet(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return (await this.passwords.isSet(ctx, user)) && !(await this.ssoRequirement.isRequired(ctx, user));
  }

  /** Returns whether the user can use a password and the password is correct. @throws HashingOverloaded (503) */
  async verify(ctx: RequestContext, user: UserKey, password: string): Promise<boolean> {
    return (await this.passwords.verify(ctx, user, password)) && !(await this.ssoRequirement.isRequired(ctx, user));
  }
}

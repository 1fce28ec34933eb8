import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { PasswordsService, PreviousPasswordsService } from '#identity/credentials';
import type { SignInAccount } from '../accounts/sign-in-account.query.js';
import { delayToStep } from '../delay-to-step.js';

/** The responses to passwords that a previous system may confirm take a multiple of this time. */
const CONFIRMATION_STEP_MS = 1_000;

/** Verifies the password of a sign-in. */
@Injectable()
export class SignInPasswordsService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly previousPasswords: PreviousPasswordsService,
  ) {}

  /**
   * Returns whether the stored hash confirms the password. If a previous system has to be asked, returns a function that asks it outside of
   * the queue. Both take the same time for a nonexistent account (null), as long as the previous system takes less than a step.
   * @throws HashingOverloaded (503), and PreviousSystemUnavailable (503) from the function
   */
  async verify(
    ctx: RequestContext,
    organization: OrganizationScope | null,
    account: SignInAccount | null,
    password: string,
  ): Promise<boolean | (() => Promise<boolean>)> {
    const { owner = null, passwordHash = null } = account ?? {};
    const isCorrect = await this.passwords.verifyStored(ctx, owner?.user ?? null, passwordHash, password);
    if (isCorrect || !organization) return isCorrect;
    const signIn = { organization, owner, hasHash: passwordHash !== null, password };
    const confirm = await this.previousPasswords.prepare(ctx, signIn);
    return confirm ? () => delayToStep(CONFIRMATION_STEP_MS, confirm) : false;
  }
}

import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { SsoRequirementService } from '#directory/users';
import { AttemptQueueService } from '../attempts/attempt-queue.service.js';
import { delayToStep } from '../delay-to-step.js';
import { MailLimitService } from '../links/mail-limit.service.js';
import { type RegistrationRequest, RegistrationsService } from './registrations.service.js';

/** The response time is a multiple of this step. An insert of the user, the event and the email takes less time. */
const STEP_MS = 250;

/** The organization does not allow sign-ups, or does not exist: 403. */
export class SignUpClosed extends DomainError {
  readonly code = 'sign_up_closed';
  readonly kind = 'forbidden';
  constructor() {
    super('This organization does not allow sign-ups. Ask an administrator for an invitation.');
  }
}

/** Signs users up in organizations that allow sign-ups. Only an email reveals whether the address already has an account. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly attemptQueue: AttemptQueueService,
    private readonly mailLimit: MailLimitService,
    private readonly registrations: RegistrationsService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Creates a pending user and emails the activation link. If the address has an account, sends another email, and the response takes
   * equally long.
   * @throws SignUpClosed, SsoRequired (403), DomainNotAllowed, PasswordRefused (422), TooManySignIns (429), HashingOverloaded (503)
   */
  async signUp(ctx: RequestContext, request: RegistrationRequest & { readonly organization: string }): Promise<void> {
    const organization = await this.organizationScopes.findScope(ctx, request.organization);
    if (organization?.status !== 'active') throw new SignUpClosed();
    if (!(await this.effectiveSettings.get(ctx, organization)).values.allowPublicSignup) throw new SignUpClosed();
    await this.ssoRequirement.assertNotRequiredIn(ctx, organization);
    const { email } = request;
    const prepared = await this.registrations.prepare(ctx, organization, request, (hashing) =>
      this.attemptQueue.run(ctx, request, hashing),
    );
    await delayToStep(STEP_MS, async () => {
      if (!(await this.mailLimit.isAllowed(organization, email))) return;
      await this.registrations.register({ ...ctx, actor: { type: 'user', email } }, organization, prepared);
    });
  }
}

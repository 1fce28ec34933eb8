export { EmailVerificationService } from './email/email-verification.service.js';
export { OrganizationField } from './organization-field.js';
export { InvalidCredentials, SignInLocked } from './sign-in-errors.js';
export { SignInModule } from './sign-in.module.js';
export type { FirstFactor, SignInOutcome } from './sign-in-outcome.js';
export { SignInResponse } from './sign-in.responses.js';
export { type ProvenFactor, SignInService } from './sign-in.service.js';

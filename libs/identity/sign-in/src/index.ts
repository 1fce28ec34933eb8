export { EmailVerificationService } from './email/email-verification.service.js';
export { OrganizationField } from './organization-field.js';
export { RETURN_TO_MAX_LENGTH, RETURN_TO_PAGE } from './return-to.js';
export { InvalidCredentials } from './sign-in-errors.js';
export { SignInModule } from './sign-in.module.js';
export type { SignInOutcome } from './sign-in-outcome.js';
export { SignInResponse } from './sign-in.responses.js';
export { SignInService } from './sign-in.service.js';

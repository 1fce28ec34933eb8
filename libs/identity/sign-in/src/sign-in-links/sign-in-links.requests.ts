import { EmailField, ExactTextField } from '#platform/http';
import { RETURN_TO, RETURN_TO_MAX_LENGTH } from '../return-to.js';

export class SignInLinksRequest {
  @EmailField({ description: 'Email address of the user.', required: true, example: 'ada@example.com' })
  email!: string;

  @ExactTextField({
    description:
      'Path to which the links lead after the sign-in: of a page below `/dashboard` or `/account`, or of an application that waits for the sign-in.',
    maxLength: RETURN_TO_MAX_LENGTH,
    pattern: RETURN_TO,
    patternMessage: 'must be the path of a page, such as /dashboard.',
    example: '/dashboard',
  })
  returnTo?: string;
}

import { EmailField, ExactTextField, LocaleField, TextField } from '#platform/http';
import { NEW_PASSWORD, ORGANIZATION } from '../recovery/password-reset.requests.js';

export class SignUpRequest {
  @TextField(ORGANIZATION)
  organization!: string;

  @EmailField({
    description: 'Email address. The service sends an email with a confirmation link to this address.',
    required: true,
    example: 'ada@example.com',
  })
  email!: string;

  @ExactTextField({ ...NEW_PASSWORD, description: NEW_PASSWORD.description.replace('New password', 'Password') })
  password!: string;

  @TextField({ description: 'First name.', maxLength: 100, example: 'Ada' })
  firstName?: string;

  @TextField({ description: 'Last name.', maxLength: 100, example: 'Lovelace' })
  lastName?: string;

  @LocaleField({
    description:
      'Language of the user as a BCP 47 tag. Without `locale`, the setting `defaultLocale` of the organization applies.',
    example: 'de',
  })
  locale?: string;
}

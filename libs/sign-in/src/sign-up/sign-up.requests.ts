import { EmailField, ExactTextField, LocaleField, TextField } from '#http';
import { NEW_PASSWORD, ORGANIZATION } from '../recovery/recovery.requests.js';

export class SignUpRequest {
  @TextField(ORGANIZATION)
  organization!: string;

  @EmailField({
    description: 'Email address. Receives an email with the confirmation link.',
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
      "Language of the user's mails and pages, as a BCP 47 language tag. Without it, the organization's `defaultLocale` applies.",
    example: 'de',
  })
  locale?: string;
}

import { EmailField, ExactTextField, TextField } from '#http';

export class LoginRequest {
  @TextField({
    description: 'The organization to sign in to, by its slug or id.',
    required: true,
    maxLength: 63,
    example: 'acme',
  })
  organization!: string;

  @EmailField({ description: 'Compared without regard to case.', required: true, example: 'ada@example.com' })
  email!: string;

  @ExactTextField({
    description: 'Taken exactly as sent. At most 1,024 bytes.',
    required: true,
    maxLength: 1024,
    example: 'lantern orbit velvet quarry',
  })
  password!: string;
}

import { EmailField, ExactTextField } from '#http';
import { OrganizationField } from '../organization-field.js';

export class LoginRequest {
  @OrganizationField()
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

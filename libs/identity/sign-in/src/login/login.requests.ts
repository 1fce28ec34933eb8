import { EmailField, ExactTextField } from '#platform/http';
import { OrganizationField } from '../organization-field.js';

export class LoginRequest {
  @OrganizationField()
  organization!: string;

  @EmailField({ description: 'Email address. Case is ignored.', required: true, example: 'ada@example.com' })
  email!: string;

  @ExactTextField({
    description: 'Password, used exactly as sent. At most 1,024 bytes.',
    required: true,
    maxLength: 1024,
    example: 'lantern orbit velvet quarry',
  })
  password!: string;
}

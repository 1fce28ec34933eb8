import { TextField } from '#http';

/** The field for the organization to sign in to, however one proves oneself. */
export const OrganizationField = (): PropertyDecorator =>
  TextField({
    description: 'The organization to sign in to, by its slug or id.',
    required: true,
    maxLength: 63,
    example: 'acme',
  });

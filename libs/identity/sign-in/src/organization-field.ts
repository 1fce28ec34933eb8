import { TextField } from '#platform/http';

/** The field for the organization to sign in to, however one proves oneself. */
export const OrganizationField = (): PropertyDecorator =>
  TextField({
    description: 'Id or slug of the organization to sign in to.',
    required: true,
    maxLength: 63,
    example: 'acme',
  });

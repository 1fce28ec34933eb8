import { TextField } from '#platform/http';

/** Declares the request field for the organization to sign in to. */
export const OrganizationField = (): PropertyDecorator =>
  TextField({
    description: 'Id or slug of the organization to sign in to.',
    required: true,
    maxLength: 63,
    example: 'acme',
  });

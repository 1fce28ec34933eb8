import { TextField } from '#platform/http';

export class MoveOrganizationRequest {
  @TextField({
    description: 'Id or slug of the new parent organization, in the same tenant.',
    maxLength: 63,
    required: true,
    example: 'acme-europe',
  })
  parentId!: string;
}

import { TextField } from '#platform/http';

const NAME = { description: 'Unique in the organization.', maxLength: 100, example: 'First' };

/** The fields of a new domain. */
export class CreateDomainRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @TextField({ description: 'Purpose of the domain.', maxLength: 500, example: 'The first of its kind' })
  description?: string;
}

/** The fields of a domain to change. */
export class UpdateDomainRequest {
  @TextField(NAME)
  name?: string;

  @TextField({ description: 'Purpose of the domain. `null` removes the description.', maxLength: 500, nullable: true })
  description?: string | null;
}

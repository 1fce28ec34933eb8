import { TextField } from '#platform/http';

export class CreateDomainRequest {
  @TextField({
    description: 'Domain name, in Unicode or in ASCII. A domain does not include its subdomains.',
    maxLength: 253,
    format: 'idn-hostname',
    example: 'example.com',
    required: true,
  })
  name!: string;
}

/** A domain in the configuration of an organization. Each organization verifies it with a DNS record of its own. */
export class DomainConfiguration extends CreateDomainRequest {}

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

import { TextField, TextListField } from '#platform/http';
import { MAX_URI_LENGTH } from './client-rules.js';

/** A resource and the scopes of it that a client can have. */
export class ClientResourceRequest {
  @TextField({
    minLength: 1,
    maxLength: MAX_URI_LENGTH,
    description: 'Identifier of the resource.',
    required: true,
    example: 'https://api.example.com',
  })
  identifier!: string;

  @TextListField({
    description: 'Scopes of the resource.',
    required: true,
    minItems: 1,
    maxItems: 100,
    item: { maxLength: 100 },
    example: ['invoices:read'],
  })
  scopes!: string[];
}

import { ObjectListField, TextField } from '#platform/http';

const NAME = {
  description: 'Name of the API. Users see it when they are asked for consent.',
  maxLength: 100,
  example: 'Invoices API',
};
const SCOPES = { description: 'Scopes that clients can request for the API.', minItems: 1, maxItems: 100 };

export class ResourceScopeRequest {
  @TextField({
    description:
      'Name of the scope. If it is the name of a permission of your application, access tokens contain it in `permissions` only if the user has the permission.',
    required: true,
    maxLength: 100,
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/,
    patternMessage: 'must have only printable ASCII characters without spaces, quotation marks and backslashes.',
    example: 'invoices:read',
  })
  name!: string;

  @TextField({
    description: 'What the scope allows. Users see it when they are asked.',
    maxLength: 200,
    example: 'View invoices.',
  })
  description?: string;
}

export class CreateOauthResourceRequest {
  @TextField({
    description:
      "Identifier of the API: an absolute URI, which is the audience (`aud`) of its access tokens. Unique across all organizations. It can't be changed.",
    required: true,
    maxLength: 255,
    pattern: /^[a-z][a-z0-9+.-]*:[!$-[\]-~]+$/,
    patternMessage: 'must be an absolute URI without a fragment, such as https://api.example.com.',
    example: 'https://api.example.com',
  })
  identifier!: string;

  @TextField({ ...NAME, required: true })
  name!: string;

  @ObjectListField(() => ResourceScopeRequest, { ...SCOPES, required: true })
  scopes!: ResourceScopeRequest[];
}

export class UpdateOauthResourceRequest {
  @TextField(NAME)
  name?: string;

  @ObjectListField(() => ResourceScopeRequest, SCOPES)
  scopes?: ResourceScopeRequest[];
}

/** An OAuth resource in the configuration of an organization. */
export class OauthResourceConfiguration extends CreateOauthResourceRequest {}

import { ApiProperty } from '@nestjs/swagger';
import { ExactTextField, TextField } from '#platform/http';
import { OrganizationField, RETURN_TO_MAX_LENGTH, RETURN_TO_PAGE } from '#identity/sign-in';

export class StartOidcRequest {
  @OrganizationField()
  organization!: string;

  @TextField({
    description: 'Id or name of an identity provider of the organization or of one of its ancestors.',
    required: true,
    maxLength: 100,
    example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  provider!: string;

  @ExactTextField({
    description:
      'Path of a page, below `/dashboard` or `/account`. After the sign-in, the service redirects the browser to this page and puts the session into the session cookie. This field is only for the pages of the service itself. Without `returnTo`, the callback responds with JSON.',
    maxLength: RETURN_TO_MAX_LENGTH,
    pattern: RETURN_TO_PAGE,
    patternMessage: 'must be the path of a page, such as /dashboard.',
    example: '/dashboard',
  })
  returnTo?: string;
}

export class OidcStartResponse {
  @ApiProperty({
    format: 'uri',
    description: 'URL that the browser opens so that the user can sign in.',
    example: 'https://login.example.com/authorize?response_type=code&client_id=0oa1b2c3d4',
  })
  authorizationUrl!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Time until which the sign-in can be completed.',
    example: '2026-01-15T09:10:00.000Z',
  })
  expiresAt!: string;

  @ApiProperty({
    description:
      'Secret that binds the sign-in to the client that started the sign-in. For browsers, the service also sets this secret as a cookie. Other clients send this secret to `POST /v1/auth/oidc/callback`.',
    example: 'dGhpcyBiaW5kcyBhIHNpZ24taW4sIG5vdCBhIHNlc3M',
  })
  bindingToken!: string;
}

export class OidcCallbackRequest {
  @ExactTextField({
    description: 'Full URL that the identity provider redirected the browser to.',
    required: true,
    maxLength: 8192,
    example: 'http://localhost:3000/v1/auth/oidc/callback/login.example.com?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
  })
  callbackUrl!: string;

  @ExactTextField({
    description: 'The `bindingToken` from `POST /v1/auth/oidc/start`.',
    required: true,
    maxLength: 100,
    example: 'dGhpcyBiaW5kcyBhIHNpZ24taW4sIG5vdCBhIHNlc3M',
  })
  bindingToken!: string;
}

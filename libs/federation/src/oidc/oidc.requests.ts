import { ApiProperty } from '@nestjs/swagger';
import { ExactTextField, TextField } from '#http';
import { OrganizationField } from '#sign-in';
import { RETURN_TO } from './page-addresses.js';

export class StartOidcRequest {
  @OrganizationField()
  organization!: string;

  @TextField({
    description: 'The identity provider, by its id or name: of the organization, or of one above it.',
    required: true,
    maxLength: 100,
    example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  provider!: string;

  @ExactTextField({
    description:
      "For the service's own pages: the path below `/dashboard` or `/account` that the browser is led back to in the end, with the session in its cookie. Left out, the callback answers with JSON.",
    maxLength: 512,
    pattern: RETURN_TO,
    patternMessage: 'must be the path of a page, such as /dashboard.',
    example: '/dashboard',
  })
  returnTo?: string;
}

export class OidcStartResponse {
  @ApiProperty({
    format: 'uri',
    description: 'Where the browser goes for the person to sign in.',
    example: 'https://login.example.com/authorize?response_type=code&client_id=0oa1b2c3d4',
  })
  authorizationUrl!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Until when the person may come back.',
    example: '2026-01-15T09:10:00.000Z',
  })
  expiresAt!: string;

  @ApiProperty({
    description:
      'Binds the sign-in to whoever began it. Browsers have it in a cookie by now; programs send it with the answer. Keep it secret.',
    example: 'dGhpcyBiaW5kcyBhIHNpZ24taW4sIG5vdCBhIHNlc3M',
  })
  bindingToken!: string;
}

export class OidcCallbackRequest {
  @ExactTextField({
    description: 'The whole address that the provider led the browser back to.',
    required: true,
    maxLength: 8192,
    example: 'http://localhost:3000/v1/auth/oidc/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
  })
  callbackUrl!: string;

  @ExactTextField({
    description: 'As the start gave it.',
    required: true,
    maxLength: 100,
    example: 'dGhpcyBiaW5kcyBhIHNpZ24taW4sIG5vdCBhIHNlc3M',
  })
  bindingToken!: string;
}

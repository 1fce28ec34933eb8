import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { type PublicKeyResponse, PublicKeySetResponse } from './access-token.requests.js';
import { SigningKeysService } from './signing-keys.service.js';

@ApiTags('Sessions')
@Controller('.well-known/jwks.json')
export class KeySetController {
  constructor(private readonly signingKeys: SigningKeysService) {}

  @Get()
  @Public('Public keys, which verify access tokens.')
  @Header('Cache-Control', 'public, max-age=600')
  @ApiOperation({
    operationId: 'getKeySet',
    summary: 'Get the JSON Web Key Set',
    description:
      'Returns the public keys that verify access tokens, as a JSON Web Key Set (RFC 7517). A new key is published one day before it signs tokens. A previous key stays published until all tokens that it signed have expired.',
  })
  @ApiOkResponse({ description: 'The JSON Web Key Set.', type: PublicKeySetResponse })
  async get(): Promise<PublicKeySetResponse> {
    return { keys: (await this.signingKeys.listPublicKeys()) as PublicKeyResponse[] };
  }
}

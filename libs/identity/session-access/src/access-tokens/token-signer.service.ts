import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TokenSigner } from '#platform/crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { SIGNING_ALGORITHM } from './signing-key-rotation.js';
import { SigningKeysService } from './signing-keys.service.js';

/** Signs tokens of other libraries with the key of access tokens. Their type keeps them from being accepted as access tokens. */
@Injectable()
export class TokenSignerService implements OnModuleInit {
  constructor(
    private readonly tokens: TokenSigner,
    private readonly signingKeys: SigningKeysService,
  ) {}

  onModuleInit(): void {
    this.tokens.register((claims, type) => this.sign(claims, type));
  }

  private async sign(claims: object, type: string): Promise<string> {
    const { kid, key } = await this.signingKeys.current();
    return new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: type }).sign(key);
  }
}

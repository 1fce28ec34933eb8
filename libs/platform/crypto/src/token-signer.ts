import { Injectable } from '@nestjs/common';

/** Signs claims as a JWT of a type. */
export type SignToken = (claims: object, type: string) => Promise<string>;

/** Signs tokens with the keys that the service publishes. The library with the keys registers here when its module starts. */
@Injectable()
export class TokenSigner {
  private registered?: SignToken;

  register(sign: SignToken): void {
    this.registered = sign;
  }

  /** Returns a signed JWT. @throws SecretUnreadable if `SECRETS_KEY` can't decrypt the key */
  async sign(claims: object, type: string): Promise<string> {
    if (!this.registered) throw new Error('No library with signing keys is registered.');
    return this.registered(claims, type);
  }
}

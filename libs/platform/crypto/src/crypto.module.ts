import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { hashingLimits, PasswordHasher } from './password-hasher.js';
import { SecretSealer } from './secret-sealer.js';
import { TokenSigner } from './token-signer.js';

@Global()
@Module({
  providers: [
    TokenSigner,
    { provide: SecretSealer, inject: [AppConfig], useFactory: (config: AppConfig) => new SecretSealer(config.secretsKeys) },
    {
      provide: PasswordHasher,
      inject: [AppConfig],
      useFactory: ({ workers }: AppConfig) => new PasswordHasher(hashingLimits(workers)),
    },
  ],
  exports: [PasswordHasher, SecretSealer, TokenSigner],
})
export class CryptoModule {}

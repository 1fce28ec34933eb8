import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { PasswordHasher } from './password-hasher.js';
import { SecretSealer } from './secret-sealer.js';

@Global()
@Module({
  providers: [
    { provide: SecretSealer, inject: [AppConfig], useFactory: (config: AppConfig) => new SecretSealer(config.secretsKeys) },
    { provide: PasswordHasher, useFactory: () => new PasswordHasher() },
  ],
  exports: [PasswordHasher, SecretSealer],
})
export class CryptoModule {}

import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#config';
import { SecretSealer } from './secret-sealer.js';

/** Provides the `SecretSealer` with the configuration's keys. */
@Global()
@Module({
  providers: [
    { provide: SecretSealer, inject: [AppConfig], useFactory: (config: AppConfig) => new SecretSealer(config.secretsKeys) },
  ],
  exports: [SecretSealer],
})
export class CryptoModule {}

import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, loadConfig } from '#platform/config';
import { CryptoModule } from './crypto.module.js';
import { PasswordHasher } from './password-hasher.js';
import { SecretSealer } from './secret-sealer.js';

describe('CryptoModule', () => {
  it('provides SecretSealer and PasswordHasher to all modules', async () => {
    const consumer = { provide: 'consumer', inject: [SecretSealer, PasswordHasher], useFactory: (...given: unknown[]) => given };
    const config = loadConfig({ SECRETS_KEY: randomBytes(32).toString('base64') });
    class Consuming {}
    const imports = [ConfigModule.forRoot(config), CryptoModule, { module: Consuming, providers: [consumer] }];
    const app = await NestFactory.createApplicationContext(
      { module: class TestModule {}, imports },
      { logger: false, abortOnError: false },
    );
    expect(app.get('consumer')).toEqual([expect.any(SecretSealer), expect.any(PasswordHasher)]);
    await app.close();
  });

  it('encrypts with the configured keys', async () => {
    const key = randomBytes(32);
    const config = loadConfig({ SECRETS_KEY: key.toString('base64') });
    const app = await NestFactory.createApplicationContext(
      { module: class TestModule {}, imports: [ConfigModule.forRoot(config), CryptoModule] },
      { logger: false, abortOnError: false },
    );

    const sealed = app.get(SecretSealer).seal('secret', 'test|secret|1');

    expect(new SecretSealer([key]).open(sealed, 'test|secret|1')).toBe('secret');
    await app.close();
  });
});

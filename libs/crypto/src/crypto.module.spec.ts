import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, loadConfig } from '#config';
import { CryptoModule } from './crypto.module.js';
import { SecretSealer } from './secret-sealer.js';

describe('CryptoModule', () => {
  it("seals with the configuration's keys", async () => {
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

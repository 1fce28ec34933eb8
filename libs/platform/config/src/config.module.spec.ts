import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from './app-config.js';
import { ConfigModule } from './config.module.js';
import { loadConfig } from './load-config.js';

@Injectable()
class Reader {
  constructor(readonly config: AppConfig) {}
}

@Module({ providers: [Reader] })
class FeatureModule {}

describe('ConfigModule', () => {
  it('provides AppConfig to all modules', async () => {
    const config = loadConfig({});

    const app = await NestFactory.createApplicationContext(
      { module: FeatureModule, imports: [ConfigModule.forRoot(config)] },
      { logger: false },
    );

    expect(app.get(Reader).config).toBe(config);
    await app.close();
  });
});

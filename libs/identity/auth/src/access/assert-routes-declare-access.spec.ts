import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Public } from '#platform/common';
import { OwnAccount, Requires } from '#platform/http';
import { assertRoutesDeclareAccess } from './assert-routes-declare-access.js';

@Controller('declared')
class DeclaredController {
  @Get()
  @Requires('users:read', { organization: 'none' })
  read(): void {}

  notARoute(): void {}
}

@Controller('open')
@Public('A test.')
class OpenController {
  @Get()
  read(): void {}
}

@Controller('undeclared')
class UndeclaredController {
  @Get()
  read(): void {}

  @Post()
  write(): void {}

  @Get('open')
  @Public('A test.')
  open(): void {}
}

@Controller('ambiguous')
@Public('A test.')
class AmbiguousController {
  @Get()
  @Requires('users:read', { organization: 'none' })
  read(): void {}

  @Post()
  @OwnAccount()
  write(): void {}
}

async function check(...controllers: Type[]): Promise<void> {
  @Module({ imports: [DiscoveryModule], controllers })
  class TestModule {}
  const app = await NestFactory.create(TestModule, { logger: false, abortOnError: false });
  try {
    assertRoutesDeclareAccess(app);
  } finally {
    await app.close();
  }
}

describe('assertRoutesDeclareAccess', () => {
  it('accepts a route that declares access on the handler or the class', async () => {
    await expect(check(DeclaredController, OpenController)).resolves.toBeUndefined();
  });

  it('names each route that declares no access', async () => {
    await expect(check(DeclaredController, UndeclaredController)).rejects.toThrow(
      'These routes do not declare their access; add @Requires, @OwnAccount or @Public: UndeclaredController.read, UndeclaredController.write.',
    );
  });

  it('names each route that declares two kinds of access', async () => {
    await expect(check(AmbiguousController)).rejects.toThrow(
      /more than one kind of access.*: AmbiguousController\.read, AmbiguousController\.write\./,
    );
  });
});

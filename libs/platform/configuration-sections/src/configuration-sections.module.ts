import { Global, Module } from '@nestjs/common';
import { ConfigurationHandlers } from './configuration-handlers.js';

/** The port of the configuration of organizations, for all libraries with a section. */
@Global()
@Module({ providers: [ConfigurationHandlers], exports: [ConfigurationHandlers] })
export class ConfigurationSectionsModule {}

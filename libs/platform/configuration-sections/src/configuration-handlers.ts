import { Injectable } from '@nestjs/common';
import type { ConfigurationHandler, ConfigurationSection } from './configuration-section.js';

/** The port through which libraries read and write their sections of the configuration of organizations. */
@Injectable()
export class ConfigurationHandlers {
  private readonly handlers = new Map<string, ConfigurationHandler<object>>();

  register<T extends object>({ name }: ConfigurationSection, handler: ConfigurationHandler<T>): void {
    this.handlers.set(name, handler);
  }

  of({ name }: Pick<ConfigurationSection, 'name'>): ConfigurationHandler<object> {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`No library handles the section ${name} of the configuration.`);
    return handler;
  }
}

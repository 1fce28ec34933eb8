export { AppConfig, configWith, type LogLevel, type Settings } from './app-config.js';
export { BadValue } from './bad-value.js';
export { ConfigError } from './config-error.js';
export { ConfigModule } from './config.module.js';
export { loadConfig } from './load-config.js';
export { parseSecretsKeys } from './values.js';
export { type Environment, misspeltVariables, readVariable } from './read-variable.js';
export { VARIABLES } from './variables.js';

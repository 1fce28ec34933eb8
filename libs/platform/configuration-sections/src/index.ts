export { ConfigurationHandlers } from './configuration-handlers.js';
export {
  type AffectedCount,
  type ConfigurationHandler,
  type ConfigurationSection,
  configurationSections,
  type ConfigurationValues,
  defineConfigurationSection,
  SETTINGS_RANK,
  type StoredItem,
} from './configuration-section.js';
export { ConfigurationSectionsModule } from './configuration-sections.module.js';
export { assertResolved, environmentReference } from './environment-reference.js';
export { addConfigurationField, OrganizationConfiguration } from './organization-configuration.js';
export { readAll } from './read-all.js';

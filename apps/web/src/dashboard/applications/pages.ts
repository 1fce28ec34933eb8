/** The pages of this area, which are loaded together. */

export { ApiPage } from './apis/api-page';
export { ApisPage } from './apis/apis-page';
export { ApplicationAccessTab } from './application-access-tab';
export { ApplicationLayout } from './application-layout';
export { ApplicationLists } from './application-lists';
export { ApplicationsPage } from './applications-page';
export { ConnectTab } from './connect-tab';
export { GrantsPage } from './grants-page';
export { NewApiPage } from './apis/new-api-page';
export { NewApplicationPage } from './new-application-page';
export { RequestsPage } from './requests-page';
export { SecretsTab } from './secrets-tab';
export { SettingsTab } from './settings-tab';

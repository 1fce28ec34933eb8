export type { DataSubject } from './data-subject.js';
export { field } from './field.js';
export { PersonalDataExportResponse } from './personal-data.responses.js';
export { PersonalDataModule } from './personal-data.module.js';
export { definePersonalData, personalDataSections } from './personal-data-section.js';
export { PersonalDataSources } from './personal-data-sources.js';

/** The pages of this area, which are loaded together. */

export { IntroductionPage } from './introduction-page';
export { OperationPage } from './operation-page';
export { ReferenceLayout } from './reference-layout';

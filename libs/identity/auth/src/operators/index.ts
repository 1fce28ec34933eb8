export { type IssuedOperatorLink, operatorLinkPath, OperatorsService } from './operators.service.js';

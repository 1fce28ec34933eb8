export { type IssuedOperatorLink, operatorLinkPath, OperatorLinksService } from './operator-links.service.js';
export { OperatorSessionsService } from './operator-sessions.service.js';

export { type OperatorLink, operatorLinkPath, OperatorLinks } from './operator-links.service.js';
export { OperatorSessions } from './operator-sessions.service.js';

export * from './opens-session.js';
export * from './own-origin.js';
export * from './session-cookie.js';

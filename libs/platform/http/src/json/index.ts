export { canonicalJson, MalformedJson, readJson } from './read-json.js';

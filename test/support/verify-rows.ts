import { verifyRowTypes } from '#platform/database';

// Imported by all that starts parts of the service: a statement whose rows differ from their declared type fails in every test.
verifyRowTypes();

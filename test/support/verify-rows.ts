import { verifyRowTypes, verifyTrackedWrites } from '#platform/database';

// Makes a statement fail if its rows differ from the declared row type, and a transaction fail if a change of a table with a history is not
// tracked. Every test that starts a part of the service imports this file.
verifyRowTypes();
verifyTrackedWrites();

import { verifyRowTypes } from '#platform/database';

// Makes a statement fail if its rows differ from the declared row type. Every test that starts a part of the service imports this file.
verifyRowTypes();

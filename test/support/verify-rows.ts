import { verifyRowTypes } from '#platform/database';

// Every test that starts a part of the service imports this file. Then a statement fails if its rows differ from their declared type.
verifyRowTypes();

const number = new Intl.NumberFormat('en');

/** The page that brings many users in. */
export const userImport = {
  title: 'Import users',
  description: 'Creates and updates many users from one file.',
  file: 'File',
  fileHint: 'NDJSON (one JSON object a line) or CSV with a header; at most 10,000 users and 32 MB.',
  choose: 'Choose a file',
  another: 'Import another file',
  start: 'Start the import',
  stop: 'Stop',
  stopped: 'Stopped. Lines that were done stay done; the file can be sent again, and they will count as unchanged.',
  rules: [
    'A user with the same external id, else with the same e-mail address, is updated; all others are created.',
    'Status and roles of users who exist stay as they are.',
    'Each line stands for itself: one that fails leaves its neighbours alone.',
    'Nobody gets a mail, unless a line says sendInvitation.',
  ],
  columns: 'Columns',
  columnsText:
    'email, firstName, lastName, displayName, phoneNumber, picture, externalId, roles (as member;billing), metadata (as JSON), status, emailVerified, sendInvitation, passwordHash.',
  exampleCsv: 'Download an example',
  reading: 'Sending the file …',
  progress: (done: number, total: number) => `${number.format(done)} of ${number.format(total)} lines`,
  progressLabel: 'Lines that are done',
  finished: 'The import is done',
  finishedWithErrors: (failed: number) =>
    failed === 1 ? 'The import is done; 1 line failed' : `The import is done; ${number.format(failed)} lines failed`,
  broken: 'The import broke off. What was done stays done; send the same file again to go on.',
  counts: { created: 'Created', updated: 'Updated', unchanged: 'Unchanged', failed: 'Failed' },
  outcomes: 'Outcome of each line',
  show: 'Show',
  showFailed: 'Failed lines',
  showAll: 'All lines',
  line: 'Line',
  outcome: 'Outcome',
  field: 'Field',
  reason: 'Reason',
  openUser: 'Open the user',
  noFailed: 'No line failed.',
  shownOf: (shown: number, all: number) =>
    `The first ${number.format(shown)} of ${number.format(all)} are shown; the download has all.`,
  download: 'Download the outcomes (CSV)',
  toUsers: 'To the users',
  notAllowed: 'You may see users here, but not create them.',
  notText: 'Choose a file whose name ends in .ndjson, .jsonl or .csv.',
};

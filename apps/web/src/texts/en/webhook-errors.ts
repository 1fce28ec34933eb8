/** What kinds of failure of an attempt mean, and what to do about them. */
export const webhookErrors: Record<string, { title: string; advice: string }> = {
  status: {
    title: 'The receiver refused it',
    advice: 'Look at the answer below: any 2xx would have been a success. Redirects are not followed.',
  },
  status_3xx: {
    title: 'The receiver answered with a redirect',
    advice: 'Redirects are not followed. Write the final address into the settings.',
  },
  status_401: {
    title: 'The receiver wants credentials, or its signature check failed',
    advice: 'Check the own headers in the settings, and the secret with the page “Signing”.',
  },
  status_404: {
    title: 'There is nothing at this address',
    advice: 'The path of the address is probably wrong, or the receiver’s route is gone. Mend it in the settings.',
  },
  status_410: {
    title: 'The receiver says that it is gone for good',
    advice: 'If that is so, delete the webhook; else mend the address. 410 to the last retry switches the webhook off.',
  },
  status_413: { title: 'The body was too large for the receiver', advice: 'Allow at least 1 MB for this route.' },
  status_429: {
    title: 'The receiver gets too many requests',
    advice: 'Set a rate limit in the settings. Until then, fewer are sent at the same time.',
  },
  status_5xx: {
    title: 'The receiver had a fault of its own',
    advice: 'Look at its log at this time. It is tried again by itself.',
  },
  timeout: {
    title: 'The receiver took too long',
    advice: 'It must answer within the time limit, body included. Answer 2xx first, and do the work afterwards.',
  },
  connect: {
    title: 'The receiver could not be reached',
    advice: 'Is it running, and is the port right? Does a firewall let connections from here in?',
  },
  dns: {
    title: 'The host’s name could not be resolved',
    advice: 'Check the address for a slip of the pen, and whether its DNS entry is there.',
  },
  tls: {
    title: 'No secure connection could be made',
    advice: 'Check the certificate: whether it is valid, for this host, and sent with its whole chain.',
  },
  reset: {
    title: 'The receiver closed the connection',
    advice: 'It broke off before its answer was complete. A crash or a proxy’s limit are usual causes.',
  },
  protocol: {
    title: 'The answer was not HTTP as it should be',
    advice: 'Is there really an HTTP server at this port? http instead of https is a usual cause.',
  },
  blocked: {
    title: 'This address may not be reached from here',
    advice:
      'It leads to an internal network. Deliveries go to the public internet only, unless whoever runs this service allows more.',
  },
  aborted: { title: 'The attempt was stopped', advice: 'The service was being restarted. It is tried again.' },
  secret_unreadable: {
    title: 'The signing secret could not be read',
    advice: 'A key of this service is missing. Tell whoever runs it, or rotate the secret.',
  },
  unknown: { title: 'It failed', advice: 'See the details below.' },
};

import { answerOf, api } from '../../api/client';
import { askForProof } from './ask-for-proof';

/** So that a proof does not grow too old between the question and the request. */
const MARGIN_MS = 30_000;

/**
 * Asks for a proof first, where the last one is too old: for what the client of the API does not send, such as a download. False when the user closes the dialog.
 */
export async function withRecentProof(): Promise<boolean> {
  let now = Date.now();
  const { data } = await answerOf(
    api.GET('/v1/auth/session').then((answer) => {
      // The clock of the service, since that of the device may be wrong.
      now = Date.parse(answer.response.headers.get('date') ?? '') || now;
      return answer;
    }),
  );
  return !data.session || Date.parse(data.session.recentUntil) - MARGIN_MS > now || askForProof();
}

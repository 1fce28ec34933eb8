import { ReceiverReplayRequest } from '#webhooks/delivery-api';

/** Body of a request that replays logout deliveries. A class of its own, because its name is the name of the schema in the API. */
export class LogoutReplayRequest extends ReceiverReplayRequest {}

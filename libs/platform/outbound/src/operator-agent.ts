import { Agent, buildConnector } from 'undici';
import { withFinalResponses } from './response-reader.js';

/** Creates the agent for URLs that the operator chose: without a network policy, and with a new connection for each request. */
export const createOperatorAgent = (): Agent => new Agent({ connect: withFinalResponses(buildConnector({})), pipelining: 0 });

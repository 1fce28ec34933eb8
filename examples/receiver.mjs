// A webhook receiver in plain Node, without packages:
//   WEBHOOK_SECRET=... node examples/receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1_048_576;

const {
  WEBHOOK_SECRET: secret,
  RECEIVER_PORT: port = '4000',
  SIGNATURE_HEADER: signatureHeader = 'service-signature',
} = process.env;
if (!secret) {
  console.error("Set WEBHOOK_SECRET to the webhook's secret.");
  process.exit(1);
}

/** Returns whether the header "t=<unix seconds>,v1=<hex>" is a valid signature of these bytes, at most five minutes old. */
function isGenuine(header, body, nowSeconds = Date.now() / 1_000) {
  const parts = String(header ?? '').split(',');
  const timestamp = parts.find((part) => /^t=\d+$/.test(part))?.slice(2);
  if (timestamp === undefined || nowSeconds - Number(timestamp) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .some((part) => timingSafeEqual(Buffer.from(part.slice(3), 'hex'), expected));
}

/** Returns the raw bytes of the body. Parsed and serialized JSON has other bytes, so its signature differs. */
async function rawBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// An event can arrive more than once. Store the ids in your database, in the transaction that processes the event.
const seen = new Set();

async function receive(request) {
  const body = await rawBody(request);
  if (!isGenuine(request.headers[signatureHeader], body)) {
    console.log('REJECTED  a delivery with an invalid or expired signature');
    return 401;
  }
  const event = JSON.parse(body.toString('utf8'));
  const repeated = seen.has(event.id);
  seen.add(event.id);
  console.log(`${repeated ? 'REPEATED ' : 'VERIFIED '} ${event.type} ${event.id}`);
  if (!repeated) console.log(JSON.stringify(event, null, 2));
  return 204;
}

const server = createServer((request, response) => {
  void receive(request)
    .catch((error) => {
      console.error(error.message);
      return 400;
    })
    .then((status) => response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end());
});
server.listen(Number(port), '127.0.0.1', () => console.log(`Waiting for deliveries at http://127.0.0.1:${port}/`));

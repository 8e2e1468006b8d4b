import { z } from 'zod'
import { DONE } from './example-market.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'

const ENDPOINT_CHARS_MAX = 1_000

const endpoint = z
  .string()
  .max(ENDPOINT_CHARS_MAX, `must be at most ${ENDPOINT_CHARS_MAX} characters`)
  .regex(/^https:\/\/[\x21-\x7e]+$/, 'must be an https address')
  .describe('Endpoint URL from the browser’s push service.')

export const subscribeInput = z.object({
  endpoint,
  p256dh: z
    .string()
    .regex(/^B[\w-]{86}$/, 'must be a key of 65 bytes in base64url')
    .describe('The browser’s public key.'),
  auth: z
    .string()
    .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url')
    .describe('The browser’s authentication secret.'),
})
export type SubscribeInput = z.output<typeof subscribeInput>

export const pushState = z
  .object({
    publicKey: z
      .string()
      .nullable()
      .describe('Public key for push subscriptions, or null if this server does not send push messages.'),
    endpoints: z.array(z.string()).describe('Endpoints of the devices that get push messages.'),
  })
  .meta({ id: 'PushState' })
export type PushState = z.output<typeof pushState>

const PUSH_ENDPOINT = 'https://push.example.org/wpush/v2/gAAAAABk'

export const pushProcedures = {
  state: query({
    apiKey: 'never',
    output: pushState,
    rest: 'GET /api/push',
    operationId: 'getPushState',
    summary: 'Returns the public key for push subscriptions, and your devices that get push messages.',
    example: {
      response: {
        publicKey: 'BKnq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvMmT6yQw0eRk2pLs9dXc4vBnKj5hG8fDs3aZ0xCvBnM8',
        endpoints: [PUSH_ENDPOINT],
      },
    },
  }),
  subscribe: mutation({
    input: subscribeInput,
    output: ok,
    rest: 'POST /api/push/subscribe',
    operationId: 'subscribeToPush',
    summary: 'Sends your notices to a browser, until its session ends. A player can have at most 10 devices.',
    errors: ['PUSH_UNAVAILABLE'],
    example: {
      input: {
        endpoint: PUSH_ENDPOINT,
        p256dh: 'BKnq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvMmT6yQw0eRk2pLs9dXc4vBnKj5hG8fDs3aZ0xCvBnM8',
        auth: 'Nq3h0sLxT2mVb8yRk5dJwE',
      },
      response: DONE,
    },
  }),
  unsubscribe: mutation({
    whenSuspended: 'allowed',
    input: z.object({ endpoint }),
    output: ok,
    rest: 'POST /api/push/unsubscribe',
    operationId: 'unsubscribeFromPush',
    summary: 'Stops sending notices to a browser.',
    example: { input: { endpoint: PUSH_ENDPOINT }, response: DONE },
  }),
}

import { z } from 'zod'
import { DONE } from './example-market.ts'
import { mutation, query } from './procedure.ts'
import { ok } from './shapes.ts'

const ENDPOINT_CHARS_MAX = 1_000

const endpoint = z
  .string()
  .max(ENDPOINT_CHARS_MAX, `must be at most ${ENDPOINT_CHARS_MAX} characters`)
  .regex(/^https:\/\/[\x21-\x7e]+$/, 'must be an https address')
  .describe('The address that the browser’s push service gave it.')

export const subscribeInput = z.object({
  endpoint,
  p256dh: z
    .string()
    .regex(/^B[\w-]{86}$/, 'must be a key of 65 bytes in base64url')
    .describe('The browser’s public key.'),
  auth: z
    .string()
    .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url')
    .describe('The browser’s secret for the encryption.'),
})
export type SubscribeInput = z.output<typeof subscribeInput>

export const pushState = z
  .object({
    publicKey: z.string().nullable().describe('What a browser subscribes with; null where this server sends nothing.'),
    endpoints: z.array(z.string()).describe('The devices that get push messages.'),
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
    summary: 'The key that browsers subscribe with, and one’s devices that get push messages.',
    example: {
      answer: {
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
    summary: 'Sends notices to a browser too, until its session ends; at most 10 devices a player.',
    errors: ['PUSH_UNAVAILABLE'],
    example: {
      input: {
        endpoint: PUSH_ENDPOINT,
        p256dh: 'BKnq3h0sLxT2mVb8yRk5dJwE7cFa1gUoPzXi9tHnB4QvMmT6yQw0eRk2pLs9dXc4vBnKj5hG8fDs3aZ0xCvBnM8',
        auth: 'Nq3h0sLxT2mVb8yRk5dJwE',
      },
      answer: DONE,
    },
  }),
  unsubscribe: mutation({
    whenSuspended: 'allowed',
    input: z.object({ endpoint }),
    output: ok,
    rest: 'POST /api/push/unsubscribe',
    operationId: 'unsubscribeFromPush',
    summary: 'Sends no more notices to a browser.',
    example: { input: { endpoint: PUSH_ENDPOINT }, answer: DONE },
  }),
}

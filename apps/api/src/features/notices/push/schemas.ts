import { z } from 'zod'

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

export const unsubscribeInput = z.object({ endpoint })

export const pushState = z
  .object({
    publicKey: z.string().nullable().describe('What a browser subscribes with; null where this server sends nothing.'),
    endpoints: z.array(z.string()).describe('The devices that get push messages.'),
  })
  .meta({ id: 'PushState' })
export type PushState = z.output<typeof pushState>
